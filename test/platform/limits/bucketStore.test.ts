import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { BUCKET_RETENTION_SECONDS, bucketStore } from '../../../functions/platform/limits/bucket.store.ts';
import { MAX_CLOCK_SKEW } from '../../../functions/platform/limits/bucket.ts';
import { limiter } from '../../../functions/platform/limits/limiter.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { startTables } from '../../support/tables.ts';
import { inMemoryBucketStore } from './inMemoryBucketStore.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');

const store = bucketStore('limits');

const live = await startTables();
afterAll(() => live.stop());

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `bucket ${keys}`;
};

describe('parallel charges at the same time', () => {
  it.each([
    [50, 1, 20, 20],
    [50, 3, 20, 6],
    [12, 20, 20, 1],
  ])('%d of cost %d with a burst of %d: admits %d', async (calls, cost, burst, admitted) => {
    const tenant = aTenant({ tenant_id: newKey(), limits: { read: { rate: 0.001, burst } } });
    // Every call uses its own limiter, as in separate cold starts.
    const charges = Array.from({ length: calls }, () =>
      limiter(store, { clock: () => NOON }).charge({ tenant, principal: 'key_1', rateClass: 'read', cost }),
    );

    const verdicts = await Promise.all(charges);

    expect(verdicts.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(admitted);
    const remaining = verdicts.map(({ state }) => state.remaining).toSorted((one, other) => one - other);
    expect(remaining[0]).toBe(burst - admitted * cost);
  });
});

it('behaves like the in-memory model for any last known tat', async () => {
  const requests = fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 5 }),
      floor: fc.integer({ min: 1, max: 12 }),
      latest: fc.integer({ min: 0, max: 20 }),
      lastTat: fc.nat({ max: 25 }),
      emptied: fc.integer({ min: 0, max: 20 }).map((tat) => tat - MAX_CLOCK_SKEW),
    }),
    { maxLength: 12 },
  );

  await fc.assert(
    fc.asyncProperty(requests, async (sequence) => {
      const key = newKey();
      const promised = inMemoryBucketStore().store;

      for (const request of sequence) {
        const [result, expected] = [
          await store.charge({ key, ...request }),
          await promised.charge({ key, ...request }),
        ];
        expect(result.admitted).toBe(expected.admitted);
        expect(await store.peek(key)).toBe(await promised.peek(key));
        // A lease that no state of the bucket admits is refused without a read.
        if (request.floor <= request.latest) expect(result.tat).toBe(expected.tat);
      }
    }),
    { numRuns: 60 },
  );
});

it('treats a bucket that was never charged as full, and peek does not charge it', async () => {
  const key = newKey();

  expect([await store.peek(key), await store.peek(key)]).toEqual([0, 0]);
});

it('keeps a full bucket for longer than the maximum lifetime of a key', async () => {
  const key = newKey();
  const now = NOON * 1_000;
  const ttlOf = async () => {
    const { Item } = await live.client.send(
      new GetItemCommand({ TableName: 'limits', Key: { pk: { S: key } } }),
    );
    return Number(Item?.['ttl']?.N);
  };

  const first = await store.charge({
    key,
    amount: 5_000_000,
    floor: now,
    latest: now,
    emptied: now,
    lastTat: 0,
  });
  const afterFirst = await ttlOf();
  await store.charge({
    key,
    amount: 7_000_000,
    floor: now,
    latest: first.tat,
    emptied: now,
    lastTat: first.tat,
  });

  expect(BUCKET_RETENTION_SECONDS).toBeGreaterThan(366 * 86_400);
  expect(afterFirst).toBe(NOON / 1_000 + 5 + BUCKET_RETENTION_SECONDS);
  expect(await ttlOf()).toBe(NOON / 1_000 + 12 + BUCKET_RETENTION_SECONDS);
});
