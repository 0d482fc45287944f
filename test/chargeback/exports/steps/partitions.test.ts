import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPartitions } from '../../../../functions/chargeback/exports/steps/partitions.ts';
import { planWriteRanges } from '../../../../functions/chargeback/exports/steps/writeRanges.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../../functions/ledger/rollups/rollup.store.ts';
import { aGroup } from '../../../insight/budgets/rollupFixtures.ts';
import { runs } from '../../../support/properties.ts';

const october = Date.parse('2026-10-01');

describe('planWriteRanges', () => {
  const counts = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 50 })), { maxLength: 60 });

  it('covers the month exactly, and exceeds the line limit only with a single day', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 80 }), (days, maxLines) => {
        const runs = days.map(([day, lines]) => ({
          days: [[october + day * LENGTH.day, lines] as [number, number]],
        }));

        const ranges = planWriteRanges('2026-10', runs, maxLines);

        expect(ranges[0]?.from).toBe(october);
        expect(ranges.at(-1)?.to).toBe(Date.parse('2026-11-01'));
        for (const [index, { from, to, lines }] of ranges.entries()) {
          expect(ranges[index + 1]?.from ?? to).toBe(to);
          const busy = new Set(
            days
              .filter(
                ([day, count]) =>
                  count > 0 && october + day * LENGTH.day >= from && october + day * LENGTH.day < to,
              )
              .map(([day]) => day),
          );
          if (lines > maxLines) expect(busy.size).toBe(1);
        }
        expect(ranges.reduce((sum, { lines }) => sum + lines, 0)).toBe(
          days.reduce((sum, [, lines]) => sum + lines, 0),
        );
        expect(new Set(ranges.map(({ first }) => first)).size).toBe(ranges.length);
      }),
    );
  });
});

describe('planPartitions', () => {
  /** A reader of days, each with the number of calls that `callsOn` returns for its position. */
  const readerOf = (callsOn: (day: number) => number): RollupReader => ({
    read: async (_, { grain, from, to }) => {
      expect(grain).toBe('day');
      const starts = Array.from(
        { length: Math.ceil((to - from) / LENGTH.day) },
        (_, day) => from + day * LENGTH.day,
      );
      return starts.map((start) => {
        const calls = callsOn(start / LENGTH.day);
        return { start, grain, asOf: 0, groups: [aGroup('1', { calls })] };
      });
    },
  });
  const periodOf = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });

  it('returns one partition for each month with few records', async () => {
    const partitions = await planPartitions(
      readerOf(() => 1),
      'acme',
      periodOf('2026-09-10T12:34:56.789Z', '2026-11-01'),
    );

    expect(partitions).toEqual([
      { month: '2026-09', ...periodOf('2026-09-10T12:34:56.789Z', '2026-10-01') },
      { month: '2026-10', ...periodOf('2026-10-01', '2026-11-01') },
    ]);
  });

  it('divides a busy day into equal parts', async () => {
    const busy = Date.parse('2026-10-05') / LENGTH.day;
    const reader = readerOf((day) => (day === busy ? 600_000 : 1));

    const partitions = await planPartitions(reader, 'acme', periodOf('2026-10-04', '2026-10-07'));

    expect(partitions.map(({ from, to }) => (to - from) / LENGTH.hour)).toEqual([24, 8, 8, 8, 24]);
  });

  it('covers the period exactly for any totals, with at most 800 partitions, whose keys fit into a payload', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 80 * 24 * 60 }),
        fc.oneof(fc.nat({ max: 390 * 24 * 60 }), fc.nat({ max: 3 })),
        fc.nat({ max: 59_999 }),
        fc.array(fc.nat({ max: 40_000_000 }), { minLength: 1, maxLength: 7 }),
        async (start, minutes, offsetMs, counts) => {
          const from = Date.parse('2025-08-15') + start * LENGTH.minute + offsetMs;
          const to = from + minutes * LENGTH.minute + 1;

          const partitions = await planPartitions(
            readerOf((day) => counts[day % counts.length] ?? 0),
            'acme',
            { from, to },
          );

          expect([partitions[0]?.from, partitions.at(-1)?.to]).toEqual([from, to]);
          expect(partitions.length).toBeLessThanOrEqual(800);
          for (const [index, partition] of partitions.entries()) {
            expect(partition.from).toBeLessThan(partition.to);
            expect(partitions[index + 1]?.from ?? partition.to).toBe(partition.to);
            const months = [partition.from, partition.to - 1].map((at) =>
              new Date(at).toISOString().slice(0, 7),
            );
            expect(new Set([...months, partition.month]).size).toBe(1);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });
});
