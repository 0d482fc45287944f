import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishedKeysAt, signingKeyAt } from '../../../../functions/identity/access/tokens/keySchedule.ts';
import {
  CLOCK_SKEW_SECONDS,
  LIFETIME_MAXIMUM_SECONDS,
} from '../../../../functions/identity/access/tokens/tokenLifetime.ts';
import { KeySchedule } from '../../../../schemas/platform/keySchedule.ts';

const YEAR = 365 * 24 * 3_600;
/** Schedules where up to three keys overlap, and schedules without overlap. */
const second = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 100 * YEAR }));
const moment = second.map((seconds) => seconds * 1_000);

const scheduleOf = (instants: readonly number[]): KeySchedule => {
  const [first = { from: 0, keyId: 'none' }, ...others] = instants
    .toSorted((one, other) => one - other)
    .map((from, index) => ({ from, keyId: `key-${index}` }));
  return [first, ...others];
};
const schedules = fc.uniqueArray(moment, { minLength: 1, maxLength: 6 }).map(scheduleOf);

describe('signingKeyAt and publishedKeysAt', () => {
  it('sign with the latest key whose start has passed', () => {
    fc.assert(
      fc.property(schedules, moment, (schedule, now) => {
        const due = schedule.filter(({ from }) => from <= now);

        const signer = signingKeyAt(schedule, now);

        expect(signer).toBe(due.length === 0 ? schedule[0] : due.at(-1));
        expect(publishedKeysAt(schedule, now)).toContain(signer);
      }),
    );
  });

  it('never return to an earlier key', () => {
    fc.assert(
      fc.property(schedules, moment, moment, (schedule, one, other) => {
        const [before, after] = [Math.min(one, other), Math.max(one, other)];

        expect(signingKeyAt(schedule, after).from).toBeGreaterThanOrEqual(
          signingKeyAt(schedule, before).from,
        );
      }),
    );
  });

  it('publish the key of every unexpired token, also with clock skew', () => {
    const skew = CLOCK_SKEW_SECONDS * 1_000;
    const age = fc.integer({ min: -skew, max: LIFETIME_MAXIMUM_SECONDS * 1_000 + skew });

    fc.assert(
      fc.property(schedules, moment, age, (schedule, signedAt, age) => {
        expect(publishedKeysAt(schedule, signedAt + age)).toContain(signingKeyAt(schedule, signedAt));
      }),
    );
  });

  it('publish a key before it signs', () => {
    fc.assert(
      fc.property(schedules, moment, (schedule, now) => {
        const ahead = schedule.slice(1).filter(({ from }) => from > now);

        expect(publishedKeysAt(schedule, now)).toEqual(expect.arrayContaining(ahead));
        expect(ahead).not.toContain(signingKeyAt(schedule, now));
      }),
    );
  });

  it('never publish a removed key again', () => {
    fc.assert(
      fc.property(schedules, moment, moment, (schedule, one, other) => {
        const [before, after] = [Math.min(one, other), Math.max(one, other)];

        expect(publishedKeysAt(schedule, before)).toEqual(
          expect.arrayContaining([...publishedKeysAt(schedule, after)]),
        );
      }),
    );
  });

  it.each([
    ['one second before its successor', 9_999, ['key-0', 'key-1'], 'key-0'],
    ['when its successor starts to sign', 10_000, ['key-0', 'key-1'], 'key-1'],
    ['until one second before the end of the overlap', 13_959, ['key-0', 'key-1'], 'key-1'],
    ['no longer at the end of the overlap', 13_960, ['key-1'], 'key-1'],
  ])('publish a key %s', (_, seconds, published, signer) => {
    const schedule = scheduleOf([0, 10_000_000]);
    const now = seconds * 1_000;

    expect(publishedKeysAt(schedule, now).map(({ keyId }) => keyId)).toEqual(published);
    expect(signingKeyAt(schedule, now).keyId).toBe(signer);
  });
});

describe('KeySchedule', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        expect(KeySchedule.parse(KeySchedule.encode(schedule))).toEqual(schedule);
      }),
    );
  });

  it('encodes readable timestamps', () => {
    expect(KeySchedule.encode(scheduleOf([0, 1_801_440_000_000]))).toBe(
      '1970-01-01T00:00:00.000Z=key-0,2027-02-01T00:00:00.000Z=key-1',
    );
  });

  it.each([
    '',
    'key',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z=',
    '1970-01-01T00:00:00Z=a,',
    '1970-01-01=a',
    '1970-01-01T00:00:00=a',
    '1970-01-01T00:00:00.500Z=a',
    '1969-12-31T23:59:59Z=a',
    '2027-02-30T00:00:00Z=a',
    '1970-01-01T00:00:00Z=a,1970-01-01T01:00:00+01:00=b',
    '2027-02-01T00:00:00Z=a,1970-01-01T00:00:00Z=b',
  ])('rejects %j', (text) => {
    expect(KeySchedule.safeParse(text).success).toBe(false);
  });
});
