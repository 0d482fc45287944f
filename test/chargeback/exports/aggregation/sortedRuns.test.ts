import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Aggregator } from '../../../../functions/chargeback/exports/aggregation/aggregator.ts';
import { mergeRuns } from '../../../../functions/chargeback/exports/aggregation/mergeRuns.ts';
import {
  describeRun,
  encodeLines,
  overlapsRange,
  readRun,
} from '../../../../functions/chargeback/exports/aggregation/sortedRuns.ts';
import { type Line, lineSortKey } from '../../../../functions/chargeback/exports/focus/line.ts';
import { buildOutputPlan } from '../../../../functions/chargeback/exports/request/outputPlan.ts';
import {
  pack,
  partitionSizeOf,
  planPartitions,
} from '../../../../functions/chargeback/exports/steps/partitions.ts';
import { planWriteRanges } from '../../../../functions/chargeback/exports/steps/writeRanges.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../../functions/ledger/rollups/rollup.store.ts';
import { granularities } from '../../../../schemas/chargeback/focus.ts';
import type { RollupGrain } from '../../../../schemas/ledger/rollup.ts';
import { aGroup } from '../../../insight/budgets/rollupFixtures.ts';
import { runs } from '../../../support/properties.ts';
import { aRequest } from '../inMemoryExport.ts';
import { aRecord, ledgers } from '../records.ts';
import { everyLabel } from '../shownCohorts.ts';

const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY };
const tenant = { tenant_id: 'acme', name: 'Acme' };
const october = Date.parse('2026-10-01');

const aggregatorOf = (granularity: (typeof granularities)[number]) => {
  const { grain, admission } = buildOutputPlan(aRequest({ granularity }), {
    tenant,
    lane: null,
    issuer: 'Acme',
  });
  return new Aggregator(grain, admission, everyLabel);
};
const sourceOf = (lines: readonly Line[]) => {
  const text = encodeLines(lines);
  const run = describeRun('run', text, lines);
  const read = async (from: number, to: number) => Buffer.from(text).subarray(from, to + 1);
  return { run, read, first: run.first, lines: () => readRun(run, ALWAYS, read) };
};
const collect = async (batches: AsyncIterable<readonly Line[]>): Promise<Line[]> => {
  const found: Line[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
};

describe('mergeRuns', () => {
  it('returns the lines of a single aggregation for any division into runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        ledgers,
        fc.constantFrom(...granularities),
        fc.array(fc.nat({ max: 5 }), { minLength: 40, maxLength: 40 }),
        async (records, granularity, cuts) => {
          const whole = aggregatorOf(granularity);
          for (const record of records) whole.add(record, october);
          const parts = Map.groupBy(records, (_, index) => cuts[index] ?? 0);
          const sources = [...parts.values()].flatMap((part) => {
            const aggregator = aggregatorOf(granularity);
            for (const record of part) aggregator.add(record, october);
            const lines = aggregator.takeLines();
            return lines.length === 0 ? [] : [sourceOf(lines)];
          });

          expect(await collect(mergeRuns(sources))).toEqual(whole.takeLines());
        },
      ),
      { numRuns: runs(30) },
    );
  });

  it('opens a run only when the merge reaches its first line', async () => {
    const open: string[] = [];
    const sources = ['2026-10-01', '2026-10-02', '2026-10-03'].map((day) => {
      const aggregator = aggregatorOf('record');
      aggregator.add(aRecord({ at: `${day}T12:00:00.000Z` }), october);
      const source = sourceOf(aggregator.takeLines());
      return {
        ...source,
        lines: async function* () {
          open.push(`+${day}`);
          yield* source.lines();
          open.push(`-${day}`);
        },
      };
    });

    await collect(mergeRuns(sources.toReversed()));

    expect(open).toEqual([
      '+2026-10-01',
      '-2026-10-01',
      '+2026-10-02',
      '-2026-10-02',
      '+2026-10-03',
      '-2026-10-03',
    ]);
  });
});

describe('a sorted run', () => {
  const manyLines = (): readonly Line[] => {
    const aggregator = aggregatorOf('record');
    for (let index = 0; index < 600; index += 1) {
      const at = new Date(october + index * 40 * 60_000).toISOString();
      aggregator.add(aRecord({ at, owner: `équipe-${index} 🙂` }), october);
    }
    return aggregator.takeLines();
  };

  it('is read completely in blocks that cut lines and characters', async () => {
    const lines = manyLines();
    const { run, read } = sourceOf(lines);
    expect(run.bytes).toBeGreaterThan(512 * 1_024);

    expect(await collect(readRun(run, ALWAYS, read))).toEqual(lines);
  });

  it('returns only the lines of a range and reads no later block', async () => {
    const lines = manyLines();
    const { run, read } = sourceOf(lines);
    const range = { from: october + LENGTH.day, to: october + 2 * LENGTH.day };
    let reads = 0;

    const found = await collect(
      readRun(run, range, (from, to) => {
        reads += 1;
        return read(from, to);
      }),
    );

    expect(found).toEqual(lines.filter(({ key }) => key.start >= range.from && key.start < range.to));
    expect(found.length).toBeGreaterThan(0);
    expect(reads).toBe(1);
    expect(overlapsRange(run, range)).toBe(true);
    expect(overlapsRange(run, { from: october + 40 * LENGTH.day, to: october + 41 * LENGTH.day })).toBe(
      false,
    );
  });

  it('counts its lines by day', () => {
    const lines = manyLines();

    const { days, first } = describeRun('run', encodeLines(lines), lines);

    expect(days.reduce((sum, [, count]) => sum + count, 0)).toBe(lines.length);
    expect(first).toBe(lines.map(({ key }) => lineSortKey(key)).sort()[0]);
  });
});

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
  /** A rollup reader with a given number of records for each minute. */
  const readerOf = (perMinute: (at: number) => number): RollupReader & { reads: RollupGrain[] } => {
    const reads: RollupGrain[] = [];
    return {
      reads,
      read: async (_, { grain, from, to }) => {
        reads.push(grain);
        const found = [];
        for (let start = from; start < to; start += LENGTH[grain]) {
          let calls = 0;
          for (let minute = start; minute < start + LENGTH[grain]; minute += LENGTH.minute)
            calls += perMinute(minute);
          if (calls > 0) found.push({ start, grain, asOf: 0, groups: [aGroup('1', { calls })] });
        }
        return found;
      },
    };
  };
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

  it('splits busy days by hour and busy hours by minute, and reads only the rollups it needs', async () => {
    const busy = Date.parse('2026-10-05T10:00:00Z');
    const reader = readerOf((at) => (at >= busy && at < busy + LENGTH.hour ? 10_000 : 0));

    const partitions = await planPartitions(reader, 'acme', periodOf('2026-10-05', '2026-10-06'));

    expect(partitions.map(({ from, to }) => (to - from) / LENGTH.minute)).toEqual([625, 25, 790]);
    expect(reader.reads).toEqual(['day', 'hour', 'minute']);
  });

  it('covers the period exactly for any rollups', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 80 * 24 * 60 }),
        fc.integer({ min: 1, max: 80 * 24 * 60 }),
        fc.nat({ max: 59_999 }),
        fc.array(fc.nat({ max: 400_000 }), { minLength: 1, maxLength: 7 }),
        async (start, length, offsetMs, counts) => {
          const from = Date.parse('2026-08-15') + start * LENGTH.minute + offsetMs;
          const to = from + length * LENGTH.minute;
          const read: RollupReader['read'] = async (_, range) => {
            const found = [];
            for (let at = range.from; at < range.to; at += LENGTH[range.grain]) {
              const calls = counts[(at / LENGTH[range.grain]) % counts.length] ?? 0;
              found.push({ start: at, grain: range.grain, asOf: 0, groups: [aGroup('1', { calls })] });
            }
            return found;
          };

          const partitions = await planPartitions({ read }, 'acme', { from, to });

          expect([partitions[0]?.from, partitions.at(-1)?.to]).toEqual([from, to]);
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

  it('returns at most 400 partitions, so that their keys fit into a payload', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 3_000_000 }), { minLength: 1, maxLength: 1_000 }),
        fc.integer({ min: 1, max: 13 }),
        (counts, months) => {
          const size = partitionSizeOf(
            counts.reduce((sum, count) => sum + count, 0),
            months,
          );
          const parts = counts.flatMap((count, index) =>
            Array.from(
              { length: Math.ceil(count / size) || 1 },
              (_, part, whole = Math.ceil(count / size) || 1) => ({
                from: index + part / whole,
                to: index + (part + 1) / whole,
                records: count / whole,
              }),
            ),
          );
          const each = Math.ceil(parts.length / months);
          const packed = Array.from({ length: months }, (_, month) =>
            pack(parts.slice(month * each, (month + 1) * each), size),
          );

          expect(packed.flat().length).toBeLessThanOrEqual(400);
        },
      ),
    );
  });
});
