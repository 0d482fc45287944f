import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  directoryKeyOf,
  directoryPartitionOf,
  monthsOfDirectory,
  partitionsOfMonth,
  recordPartitionOf,
  shardBitsOf,
  versionKeyOf,
} from '../../../functions/ledger/records/ledgerKey.ts';
import { recordUlid } from '../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import { timeOfUlid } from '../../../functions/platform/shared/ulid.ts';

const tenant = { tenant_id: 'acme' };
const times = fc.integer({ min: Date.parse('2025-11-01'), max: Date.parse('2027-02-28') });
const shardBitsList = fc.integer({ min: 0, max: 15 });

it('finds the partition of every record through the directory row that was written for it', () => {
  const records = fc.array(fc.record({ at: times, shardBits: shardBitsList, eventId: fc.uuid() }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(records, (written) => {
      const ulids = written.map(({ at, shardBits, eventId }) => recordUlid('acme', eventId, at, shardBits));
      const months = monthsOfDirectory(
        ulids.map((ulid) => directoryKeyOf(monthOf(timeOfUlid(ulid)), shardBitsOf(ulid))),
      );
      const partitionsByMonth = new Map(
        months.map((open) => [open.month, new Set(partitionsOfMonth(tenant, open))]),
      );

      for (const ulid of ulids) {
        const month = monthOf(timeOfUlid(ulid));
        expect(partitionsByMonth.get(month)?.has(recordPartitionOf(tenant, ulid))).toBe(true);
      }
      expect(months.map(({ month }) => month)).toEqual([...partitionsByMonth.keys()].sort());
    }),
    // At most 2^15 partitions a month are built in each run.
    { numRuns: 20 },
  );
});

it('keeps time and number of shard bits in the ULID, and only four bits differ between two numbers of shard bits', () => {
  fc.assert(
    fc.property(fc.uuid(), times, shardBitsList, shardBitsList, (eventId, at, one, other) => {
      const [first, second] = [one, other].map((shardBits) => recordUlid('acme', eventId, at, shardBits));

      expect([shardBitsOf(first ?? ''), shardBitsOf(second ?? '')]).toEqual([one, other]);
      expect(timeOfUlid(first ?? '')).toBe(at);
      expect(first?.slice(11)).toBe(second?.slice(11));
      expect(first).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    }),
  );
});

it('has a single partition a month without shard bits', () => {
  const partitions = Array.from({ length: 50 }, (_, index) =>
    recordPartitionOf(tenant, recordUlid('acme', String(index), Date.parse('2026-03-10'))),
  );

  expect(new Set(partitions)).toEqual(new Set(partitionsOfMonth(tenant, { month: '2026-03', shards: 1 })));
});

it('spreads the records of a month evenly over all its shards', () => {
  const partitions = Array.from({ length: 800 }, (_, index) =>
    recordPartitionOf(tenant, recordUlid('acme', String(index), Date.parse('2026-03-10'), 3)),
  );

  const counts = [...Map.groupBy(partitions, (partition) => partition).values()].map(({ length }) => length);
  expect(counts).toHaveLength(8);
  expect(Math.min(...counts)).toBeGreaterThan(70);
});

describe('monthsOfDirectory', () => {
  it('takes the highest number of shard bits of each month, in order of time', () => {
    const keys = [
      directoryKeyOf('2026-04', 0),
      directoryKeyOf('2026-03', 4),
      directoryKeyOf('2026-03', 0),
      directoryKeyOf('2026-03', 10),
    ];

    expect(monthsOfDirectory(keys)).toEqual([
      { month: '2026-03', shards: 1_024 },
      { month: '2026-04', shards: 1 },
    ]);
  });

  it('is empty for a tenant without records', () => {
    expect(monthsOfDirectory([])).toEqual([]);
  });
});

it('sorts versions by record, then number, and records by time', () => {
  fc.assert(
    fc.property(times, times, fc.uuid(), fc.uuid(), shardBitsList, (one, other, a, b, shardBits) => {
      fc.pre(one < other);
      const [first, second] = [recordUlid('acme', a, one, shardBits), recordUlid('acme', b, other)];

      const keys = [
        versionKeyOf(first, 1),
        versionKeyOf(first, 2),
        versionKeyOf(first, 10),
        versionKeyOf(second, 1),
      ];

      expect(keys.toSorted()).toEqual(keys);
    }),
  );
});

it('keeps the directory in a separate partition', () => {
  expect(partitionsOfMonth(tenant, { month: '2026-03', shards: 4 })).not.toContain(
    directoryPartitionOf('acme'),
  );
});
