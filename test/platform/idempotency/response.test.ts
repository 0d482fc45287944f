import { ScanCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type BeginResult,
  type HeldClaim,
  responseStore,
} from '../../../functions/platform/idempotency/response.store.ts';
import { startTables } from '../../support/tables.ts';
import { inMemoryResponseStore } from './inMemoryResponseStore.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const LEASE = 12_000;

const store = responseStore('idempotency');

const live = await startTables();
afterAll(() => live.stop());

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `call ${keys}`;
};
const begin = (key: string, now = NOON, fingerprint = 'print'): Promise<BeginResult> =>
  store.begin(key, fingerprint, now, now + LEASE);
/** Begins a call and expects to get the lease. */
const hold = async (key: string, now = NOON): Promise<HeldClaim> => {
  const result = await begin(key, now);
  if (result.kind !== 'held') throw new Error(`the call is ${result.kind}`);
  return result.claim;
};

describe('responseStore', () => {
  it('gives the lease to exactly one of 24 concurrent calls', async () => {
    const key = newKey();

    const results = await Promise.all(Array.from({ length: 24 }, (_, index) => begin(key, NOON + index)));

    expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'running')).toHaveLength(23);
  });

  it('returns the stored response of a completed call', async () => {
    const key = newKey();
    const claim = await hold(key);

    await store.end(claim, 'sealed');

    const answer = { kind: 'ended', sealed: 'sealed', receivedAt: NOON };
    expect([await begin(key, NOON + 1), await begin(key, NOON + 2 * LEASE)]).toEqual([answer, answer]);
  });

  it('gives the lease of a clock that was an hour ahead to the next call', async () => {
    const key = newKey();
    const stopped = await hold(key, NOON + 60 * 60 * 1_000);

    const next = await begin(key);

    expect(next).toMatchObject({ kind: 'held', claim: { attempt: 2, receivedAt: stopped.receivedAt } });
    await expect(store.end(stopped, 'sealed')).rejects.toThrow();
  });

  it('completes a call once', async () => {
    const claim = await hold(newKey());
    await store.end(claim, 'sealed');

    await expect(store.end(claim, 'another')).rejects.toThrow();
    await expect(store.abandon(claim)).rejects.toThrow();
    expect(await begin(claim.key)).toMatchObject({ sealed: 'sealed' });
  });

  it('returns a conflict for another fingerprint, whether the first call runs, was abandoned or has completed', async () => {
    const [running, abandoned, ended] = [await hold(newKey()), await hold(newKey()), await hold(newKey())];
    await store.abandon(abandoned);
    await store.end(ended, 'sealed');

    const others = [running, abandoned, ended].map(({ key }) => begin(key, NOON + 1, 'other print'));
    const same = [running, abandoned, ended].map(({ key }) => begin(key, NOON + 1));

    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(Array(3).fill('conflict'));
    expect((await Promise.all(same)).map(({ kind }) => kind)).toEqual(['running', 'held', 'ended']);
  });

  it('returns a conflict for another fingerprint when the lease has expired', async () => {
    const { key } = await hold(newKey());

    expect(await begin(key, NOON + LEASE, 'other print')).toEqual({ kind: 'conflict' });
  });
});

describe('the lease of a call', () => {
  it.each([
    [LEASE - 1, 'running'],
    [LEASE, 'held'],
  ])('after %d ms is %s', async (later, kind) => {
    const { key } = await hold(newKey());

    expect(await begin(key, NOON + later)).toMatchObject({ kind });
  });

  it('passes to the next attempt, which keeps the arrival time of the first', async () => {
    const { key } = await hold(newKey());

    const attempts = [await hold(key, NOON + LEASE), await hold(key, NOON + 2 * LEASE)];

    expect(attempts).toEqual([
      { key, attempt: 2, receivedAt: NOON, effect: null },
      { key, attempt: 3, receivedAt: NOON, effect: null },
    ]);
  });

  it('passes to exactly one of 24 concurrent attempts', async () => {
    const { key } = await hold(newKey());

    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => begin(key, NOON + LEASE + index)),
    );

    expect(results.filter(({ kind }) => kind === 'held')).toEqual([
      { kind: 'held', claim: { key, attempt: 2, receivedAt: NOON, effect: null } },
    ]);
    expect(results.filter(({ kind }) => kind === 'running')).toHaveLength(23);
  });

  it('is released at once when the call is abandoned', async () => {
    const claim = await hold(newKey());

    await store.abandon(claim);

    expect(await begin(claim.key, NOON + 1)).toMatchObject({ kind: 'held', claim: { attempt: 2 } });
  });

  it('cannot be used by an attempt that another one has replaced', async () => {
    const first = await hold(newKey());
    const second = await hold(first.key, NOON + LEASE);

    await expect(store.end(first, 'late')).rejects.toThrow();
    await expect(store.abandon(first)).rejects.toThrow();
    const meanwhile = await begin(first.key, NOON + LEASE + 1);
    await store.end(second, 'sealed');
    await expect(store.end(first, 'later')).rejects.toThrow();

    expect(meanwhile).toEqual({ kind: 'running' });
    expect(await begin(first.key, NOON + LEASE + 2)).toMatchObject({ sealed: 'sealed' });
  });
});

describe('after 24 hours, before the TTL deletes the row,', () => {
  it.each([
    ['ended', DAY - 1_000, 'print', 'ended'],
    ['ended', DAY - 1, 'print', 'ended'],
    ['ended', DAY - 1, 'other print', 'conflict'],
    ['ended', DAY, 'print', 'held'],
    ['ended', DAY + 1_000, 'other print', 'held'],
    ['never ended', DAY - 1, 'other print', 'conflict'],
    ['never ended', DAY, 'other print', 'held'],
  ])('a call that %s and is repeated %d ms later with the %s is %s', async (state, later, print, kind) => {
    const claim = await hold(newKey());
    if (state === 'ended') await store.end(claim, 'sealed');

    expect(await begin(claim.key, NOON + later, print)).toMatchObject({ kind });
  });

  it('a call is new: attempt 1, its own arrival time, stored for another 24 hours', async () => {
    const first = await hold(newKey());
    await store.end(first, 'old');

    const second = await hold(first.key, NOON + DAY);
    await store.end(second, 'new');

    expect(second).toEqual({ key: first.key, attempt: 1, receivedAt: NOON + DAY, effect: null });
    expect(await begin(first.key, NOON + 2 * DAY - 1)).toMatchObject({ sealed: 'new' });
  });

  it('the 24 hours start with the first attempt, independent of the completion of the last one', async () => {
    const { key } = await hold(newKey());
    await store.end(await hold(key, NOON + DAY - 1), 'sealed');

    expect(await begin(key, NOON + DAY)).toMatchObject({ kind: 'held', claim: { attempt: 1 } });
  });

  it('the TTL allows the table to delete the row, and not earlier', async () => {
    const { key } = await hold(newKey(), NOON + 1);

    const { Items = [] } = await live.client.send(new ScanCommand({ TableName: 'idempotency' }));

    const row = Items.find(({ pk }) => pk?.S === key);
    expect(Number(row?.['ttl']?.N) * 1_000).toBeGreaterThanOrEqual(NOON + 1 + DAY);
  });
});

it('responseStore behaves like the in-memory model for any sequence of calls', async () => {
  const attempt = fc.integer({ min: 1, max: 4 });
  const step = fc.oneof(
    fc.record({
      act: fc.constant('begin' as const),
      wait: fc.constantFrom(0, 1, LEASE - 1, LEASE, DAY - 1, DAY),
      fingerprint: fc.constantFrom('print', 'print', 'print', 'other print'),
    }),
    fc.record({ act: fc.constant('end' as const), attempt, sealed: fc.constantFrom('one', 'two') }),
    fc.record({ act: fc.constant('abandon' as const), attempt }),
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const key = newKey();
      const promised = inMemoryResponseStore().store;
      let now = NOON;
      for (const one of steps) {
        if (one.act === 'begin') now += one.wait;
        const outcomes = [store, promised].map(async ({ begin, end, abandon }): Promise<unknown> => {
          if (one.act === 'begin') return begin(key, one.fingerprint, now, now + LEASE);
          const claim = { key, attempt: one.attempt, receivedAt: NOON, effect: null };
          const done = one.act === 'end' ? end(claim, one.sealed) : abandon(claim);
          return done.catch(() => 'refused');
        });
        const [real, expected] = await Promise.all(outcomes);
        expect(real).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});
