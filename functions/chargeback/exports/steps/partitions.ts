import { DAY_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import {
  type Month,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../../platform/shared/time/month.ts';

/** A time range within one month that one step aggregates. Epoch milliseconds, `to` excluded. */
export interface TimePartition extends Interval {
  readonly month: Month;
}

/** Target size of a partition. Takes about a minute, so that a retry costs little. */
const PARTITION_RECORDS = 250_000;
/** With one for each of 13 months of days, their keys fit into the Step Functions payload limit of 256 KB. */
const FULL_PARTITIONS_MAXIMUM = 400;

/** The part of a period in each UTC day that it overlaps. */
const daysOf = ({ from, to }: Interval): Interval[] => {
  const days: Interval[] = [];
  for (let start = startOf('day', from); start < to; start += DAY_MS)
    days.push({ from: Math.max(start, from), to: Math.min(start + DAY_MS, to) });
  return days;
};

/** Divides an interval into equal parts. */
const divide = ({ from, to }: Interval, parts: number): Interval[] => {
  const bound = (part: number): number => from + Math.floor(((to - from) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: bound(part), to: bound(part + 1) }));
};

/**
 * Splits a period into partitions, by the record counts of its days. A small tenant has one partition a month, and a busy day
 * has several. A partition with more records than expected takes more calls. The partitions cover the period exactly.
 */
export const planPartitions = async (
  rollups: RollupReader,
  tenantId: string,
  period: Interval,
): Promise<readonly TimePartition[]> => {
  const { from, to } = period;
  const range = { grain: 'day', from: startOf('day', from), to: startOf('day', to + DAY_MS - 1) } as const;
  const counts = new Map(
    (await rollups.read(tenantId, range)).map(({ start, groups }) => [
      start,
      groups.reduce((sum, { figures }) => sum + figures.invocations, 0),
    ]),
  );
  const records = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const size = Math.max(PARTITION_RECORDS, Math.ceil(records / FULL_PARTITIONS_MAXIMUM));
  return monthsBetween(from, to - 1).flatMap((month) => {
    const inMonth = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    const partitions: (TimePartition & { readonly records: number })[] = [];
    for (const day of daysOf(inMonth)) {
      const count = counts.get(startOf('day', day.from)) ?? 0;
      const last = partitions.at(-1);
      if (last !== undefined && last.records + count <= size)
        partitions.splice(-1, 1, { ...last, to: day.to, records: last.records + count });
      else
        for (const part of divide(day, Math.min(Math.max(1, Math.ceil(count / size)), day.to - day.from)))
          partitions.push({ ...part, month, records: Math.min(count, size) });
    }
    return partitions.map(({ from: start, to: end }) => ({ month, from: start, to: end }));
  });
};
