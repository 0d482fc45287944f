import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  monthsPartitionOf,
  partitionsOfMonth,
  recordPartitionOf,
  versionKeyOf,
} from '../../functions/ledger/ledgerKey.ts';
import { recordUlid } from '../../functions/shared/ids.ts';
import { monthOf } from '../../functions/shared/month.ts';
import { timeOfUlid } from '../../functions/shared/ulid.ts';
import { shardHistories } from '../attribution/events.ts';

const times = fc.integer({ min: Date.parse('2025-11-01'), max: Date.parse('2027-02-28') });
const tenantOf = (shards: { from: number; count: number }[]) => ({ tenant_id: 'acme', shards });

it('has the partition of every record among those of its month, for any shard history', () => {
  fc.assert(
    fc.property(shardHistories, fc.uuid(), times, (shards, eventId, at) => {
      const tenant = tenantOf(shards);
      const ulid = recordUlid('acme', eventId, at);

      expect(partitionsOfMonth(tenant, monthOf(at))).toContain(recordPartitionOf(tenant, ulid));
    }),
    // Enough runs to combine months and shard changes.
    { numRuns: 500 },
  );
});

it('keeps the partition of a record when shards change later', () => {
  fc.assert(
    fc.property(shardHistories, fc.uuid(), times, fc.nat({ max: 9 }), (shards, eventId, at, count) => {
      const ulid = recordUlid('acme', eventId, at);
      const later = [
        ...shards,
        { from: Math.max(at, ...shards.map(({ from }) => from)) + 1, count: count + 1 },
      ];

      const partitions = [shards, later].map((history) => recordPartitionOf(tenantOf(history), ulid));

      expect(partitions[1]).toBe(partitions[0]);
    }),
  );
});

it('spreads the records of a month over all its shards', () => {
  const tenant = tenantOf([{ from: 0, count: 5 }]);
  const at = Date.parse('2026-03-10');

  const partitions = Array.from({ length: 500 }, (_, index) =>
    recordPartitionOf(tenant, recordUlid('acme', String(index), at)),
  );

  const counts = Object.values(Object.groupBy(partitions, (partition) => partition)).map(
    (group) => group?.length ?? 0,
  );
  expect(counts).toHaveLength(5);
  expect(Math.min(...counts)).toBeGreaterThan(60);
});

describe('partitionsOfMonth', () => {
  const change = (from: string) =>
    tenantOf([
      { from: 0, count: 2 },
      { from: Date.parse(from), count: 5 },
    ]);

  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-02', 2],
    ['2026-03-01T00:00:00.000Z', '2026-03', 5],
    ['2026-03-31T23:59:59.999Z', '2026-03', 5],
    ['2026-03-15T08:00:00.000Z', '2026-03', 5],
    ['2026-03-15T08:00:00.000Z', '2026-02', 2],
    ['2026-03-15T08:00:00.000Z', '2026-04', 5],
  ])('with five shards from %s on, returns for %s %d partitions', (from, month, count) => {
    expect(partitionsOfMonth(change(from), month)).toHaveLength(count);
  });

  it('keeps the higher shard count in the month of a decrease', () => {
    const tenant = tenantOf([
      { from: 0, count: 5 },
      { from: Date.parse('2026-03-15'), count: 1 },
    ]);

    const counts = ['2026-02', '2026-03', '2026-04'].map((month) => partitionsOfMonth(tenant, month).length);

    expect(counts).toEqual([5, 5, 1]);
  });
});

it('sorts versions by record, then number, and records by time', () => {
  fc.assert(
    fc.property(times, times, fc.uuid(), fc.uuid(), (one, other, a, b) => {
      fc.pre(one < other);
      const [first, second] = [recordUlid('acme', a, one), recordUlid('acme', b, other)];

      const keys = [
        versionKeyOf(first, 1),
        versionKeyOf(first, 2),
        versionKeyOf(first, 10),
        versionKeyOf(second, 1),
      ];

      expect(keys.toSorted()).toEqual(keys);
      expect(timeOfUlid(first)).toBe(one);
    }),
  );
});

it('lists months in a separate partition', () => {
  const months = monthsPartitionOf('acme');

  expect(partitionsOfMonth(tenantOf([{ from: 0, count: 3 }]), '2026-03')).not.toContain(months);
});
