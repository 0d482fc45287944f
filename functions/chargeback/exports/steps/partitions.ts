import type { Rollup, RollupGrain } from '../../../../schemas/ledger/rollup.ts';
import { LENGTH, startOf } from '../../../ledger/rollups/grain.ts';
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

/** A time range and the number of records expected in it. Epoch milliseconds, `to` excluded. */
export interface RecordEstimate extends Interval {
  readonly records: number;
}

/** Target size of a partition. Takes about a minute, so that a retry costs little. */
const PARTITION_RECORDS = 250_000;
/** Most partitions of an export. Their keys must fit into the Step Functions payload limit of 256 KB. */
const PARTITIONS_MAXIMUM = 400;

const FINER: Readonly<Record<RollupGrain, RollupGrain | null>> = {
  day: 'hour',
  hour: 'minute',
  minute: null,
};

/**
 * Partition size, in records, that keeps the number of partitions within the limit. The factor 2: of two consecutive
 * packed partitions at least one is half full.
 */
export const partitionSizeOf = (records: number, months: number): number =>
  Math.max(PARTITION_RECORDS, Math.ceil((2 * records) / (PARTITIONS_MAXIMUM - 2 * months)));

/** Packs consecutive ranges into fewer ranges of at most `size` records. A single larger range stays as it is. */
export const pack = (ranges: readonly RecordEstimate[], size: number): readonly RecordEstimate[] => {
  const packed: RecordEstimate[] = [];
  for (const range of ranges) {
    const last = packed.at(-1);
    if (last !== undefined && last.records + range.records <= size) {
      packed.splice(-1, 1, { from: last.from, to: range.to, records: last.records + range.records });
    } else packed.push(range);
  }
  return packed;
};

const recordsIn = ({ groups }: Rollup): number =>
  groups.reduce((sum, { figures }) => sum + figures.invocations, 0);

/** Splits a range into ranges of one grain, each with the record count of its rollup (0 when there is none). */
const estimateRecords = async (
  rollups: RollupReader,
  tenantId: string,
  grain: RollupGrain,
  { from, to }: Omit<RecordEstimate, 'records'>,
): Promise<RecordEstimate[]> => {
  const length = LENGTH[grain];
  const begin = startOf(grain, from);
  const counts = new Map(
    (await rollups.read(tenantId, { grain, from: begin, to: startOf(grain, to + length - 1) })).map(
      (rollup) => [rollup.start, recordsIn(rollup)] as const,
    ),
  );
  return Array.from({ length: Math.ceil((to - begin) / length) }, (_, index) => {
    const start = begin + index * length;
    return {
      from: Math.max(start, from),
      to: Math.min(start + length, to),
      records: counts.get(start) ?? 0,
    };
  });
};

/** Splits ranges with more than `size` records by the next finer grain. A minute is never split. */
const refineEstimates = async (
  rollups: RollupReader,
  tenantId: string,
  ranges: readonly RecordEstimate[],
  grain: RollupGrain,
  size: number,
): Promise<RecordEstimate[]> => {
  const finer = FINER[grain];
  if (finer === null) return [...ranges];
  const parts: RecordEstimate[] = [];
  for (const range of ranges) {
    if (range.records <= size) parts.push(range);
    else {
      const inside = await estimateRecords(rollups, tenantId, finer, range);
      parts.push(...(await refineEstimates(rollups, tenantId, inside, finer, size)));
    }
  }
  return parts;
};

/**
 * Splits a period into partitions of similar size, using the record counts of rollups. A small tenant has one partition a
 * month, and a busy minute has its own. The partitions cover the period exactly even when the rollups are wrong.
 */
export const planPartitions = async (
  rollups: RollupReader,
  tenantId: string,
  { from, to }: Interval,
): Promise<readonly TimePartition[]> => {
  const months = monthsBetween(from, to - 1);
  const days: { readonly month: Month; readonly expected: readonly RecordEstimate[] }[] = [];
  for (const month of months) {
    const within = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    days.push({ month, expected: await estimateRecords(rollups, tenantId, 'day', within) });
  }
  const records = days.flatMap(({ expected }) => expected).reduce((sum, day) => sum + day.records, 0);
  const size = partitionSizeOf(records, months.length);
  const partitions: TimePartition[] = [];
  for (const { month, expected } of days) {
    const parts = pack(await refineEstimates(rollups, tenantId, expected, 'day', size), size);
    for (const part of parts) partitions.push({ month, from: part.from, to: part.to });
  }
  return partitions;
};
