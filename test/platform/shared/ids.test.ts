import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import {
  idOf,
  invocationUlid,
  parseId,
  recordUlid,
  tenantTag,
} from '../../../functions/platform/shared/ids.ts';
import { timeOfUlid, ulidOf, ulidOfDigest, ulidTime } from '../../../functions/platform/shared/ulid.ts';

const SHAPE = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const LATEST = 2 ** 48 - 1;
const times = fc.nat({ max: LATEST });
const entropy = fc.uint8Array({ minLength: 10, maxLength: 32 });
const tags = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'),
  minLength: 8,
  maxLength: 8,
});

describe('a ULID', () => {
  it('has the ULID format and contains its time and all bits of its entropy', () => {
    fc.assert(
      fc.property(times, entropy, (at, bytes) => {
        const ulid = ulidOf(at, bytes);

        expect(ulid).toMatch(SHAPE);
        expect(timeOfUlid(ulid)).toBe(at);
        expect(ulid.startsWith(ulidTime(at))).toBe(true);
        expect(ulidOf(at, bytes.subarray(0, 10))).toBe(ulid);
      }),
    );
  });

  it('sorts by time, then by entropy', () => {
    fc.assert(
      fc.property(times, times, entropy, entropy, (one, other, a, b) => {
        const byTime = Math.sign(one - other);
        const byBytes = Buffer.compare(a.subarray(0, 10), b.subarray(0, 10));

        const [first, second] = [ulidOf(one, a), ulidOf(other, b)];

        expect(first < second ? -1 : first > second ? 1 : 0).toBe(byTime === 0 ? byBytes : byTime);
      }),
    );
  });

  it.each([
    // The example of https://github.com/ulid/spec
    [1_469_918_176_385, '01ARYZ6S41'],
    [0, '0000000000'],
    [LATEST, '7ZZZZZZZZZ'],
  ])('of %d starts with %s', (at, beginning) => {
    expect(ulidTime(at)).toBe(beginning);
  });

  it('derived from a digest contains 128 of its bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat({ max: 127 }), (digest, bit) => {
        const flipped = digest.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

        const [one, other] = [ulidOfDigest(digest), ulidOfDigest(flipped)];

        expect(one).toMatch(SHAPE);
        expect(other).not.toBe(one);
      }),
    );
  });
});

describe('an id in a path', () => {
  it('is parsed as own, foreign or malformed', () => {
    fc.assert(
      fc.property(tags, tags, times, entropy, (own, foreign, at, bytes) => {
        fc.pre(own !== foreign);
        const ulid = ulidOf(at, bytes);

        expect(parseId(idOf('att', own, ulid), 'att', own)).toEqual({ kind: 'own', ulid });
        expect(parseId(idOf('att', foreign, ulid), 'att', own)).toEqual({ kind: 'foreign' });
        expect(parseId(idOf('inv', foreign, ulid), 'att', own)).toEqual({ kind: 'malformed' });
      }),
    );
  });

  it.each([
    '',
    'att_',
    'att_abcdefgh',
    'att_abcdefgh01ARYZ6S410123456789ABCDE',
    'att_abcdefgh01ARYZ6S410123456789ABCDEFG',
    'att_abcdefgh81ARYZ6S410123456789ABCDEF',
    'att_abcdefgh01ARYZ6S410123456789ABCDEI',
    'att_abcdefgh01aryz6s410123456789ABCDEF',
    'att_abcdefg101ARYZ6S410123456789ABCDEF',
    'att_abcdefgh01ARYZ6S410123456789ABCDEF\n',
    ' att_abcdefgh01ARYZ6S410123456789ABCDEF',
  ])('is malformed: %j', (text) => {
    expect(parseId(text, 'att', 'abcdefgh')).toEqual({ kind: 'malformed' });
  });
});

describe('ids derived from an event', () => {
  it('are the same for a retry, and the record id contains the time', () => {
    fc.assert(
      fc.property(fc.string(), fc.uuid(), times, (tenant, event, at) => {
        expect(invocationUlid(tenant, event)).toBe(invocationUlid(tenant, event));
        expect(timeOfUlid(recordUlid(tenant, event, at))).toBe(at);
        expect(recordUlid(tenant, event, at).slice(10)).toBe(recordUlid(tenant, event, 0).slice(10));
      }),
    );
  });

  it('differ between tenants, events and kinds, also when the concatenation is equal', () => {
    const ulids = [
      invocationUlid('acme', 'event'),
      invocationUlid('acmee', 'vent'),
      invocationUlid('globex', 'event'),
      recordUlid('acme', 'event', 0),
      recordUlid('acmee', 'vent', 0),
    ];

    expect(new Set(ulids.map((ulid) => ulid.slice(10))).size).toBe(ulids.length);
  });
});

it('tenantTag does not reveal the tenant and depends on the secret', () => {
  const [secret, other] = [new Uint8Array(32), new Uint8Array(32).fill(1)];

  const tenantTags = [
    tenantTag('acme', secret),
    tenantTag('acme', secret),
    tenantTag('acme', other),
    tenantTag('globex', secret),
  ];

  expect(tenantTags[0]).toMatch(/^[a-z2-7]{8}$/);
  expect(tenantTags[1]).toBe(tenantTags[0]);
  expect(new Set(tenantTags).size).toBe(3);
});

it('sha256Of returns different hashes for different lists of parts', () => {
  const halfSurrogates = fc.constantFrom('\ud800', '\udfff', 'a\ud800', 'd800');
  const parts = fc.array(fc.oneof(fc.string(), halfSurrogates, fc.uint8Array()), { maxLength: 4 });
  const encode = (list: (string | Uint8Array)[]) =>
    JSON.stringify(list.map((part) => (typeof part === 'string' ? part : [...part])));

  fc.assert(
    fc.property(parts, parts, (one, other) => {
      expect(sha256Of(...one).equals(sha256Of(...other))).toBe(encode(one) === encode(other));
    }),
  );
  expect(sha256Of('ab', 'c').equals(sha256Of('a', 'bc'))).toBe(false);
  expect(sha256Of('ab', '').equals(sha256Of('ab'))).toBe(false);
});

it.each([
  ['no text and no bytes', '', new Uint8Array(0)],
  ['bytes and the text of their digest', hash('sha256', new Uint8Array(0), 'hex'), new Uint8Array(0)],
  ['two different halves of a surrogate pair', '\ud800', '\udfff'],
])('sha256Of returns different hashes for %s', (_, one, other) => {
  expect(sha256Of(one).equals(sha256Of(other))).toBe(false);
});
