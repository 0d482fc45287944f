import type { Rollup, RollupGrain } from '../../../schemas/rollup.ts';
import { LENGTH, startOf } from '../../rollups/grain.ts';
import type { RollupReader } from '../../rollups/rollup.store.ts';
import { type Month, monthsBetween, startOfMonth, startOfNextMonth } from '../../shared/month.ts';
import type { ExportPeriod } from '../request/exportLimits.ts';

/** A stretch of one month that one step gathers, epoch milliseconds; `to` is excluded. */
export interface TimePartition {
  readonly month: Month;
  readonly from: number;
  readonly to: number;
}

/** A stretch of time and how many records it is expected to hold. */
export interface RecordEstimate {
  readonly from: number;
  readonly to: number;
  readonly records: number;
}

/** Records a piece should hold at most: a minute's work, so that a piece that is tried again costs little. */
const PARTITION_RECORDS = 250_000;
/** Pieces of an export at most: what they are named by must fit into a payload of 256 KB. */
const PARTITIONS_MAXIMUM = 400;

const FINER: Readonly<Record<RollupGrain, RollupGrain | null>> = {
  day: 'hour',
  hour: 'minute',
  minute: null,
};

/** How large pieces must be, for as few as may be: of two that follow each other one at least is half full. */
export const partitionSizeOf = (records: number, months: number): number =>
  Math.max(PARTITION_RECORDS, Math.ceil((2 * records) / (PARTITIONS_MAXIMUM - 2 * months)));

/** Packs stretches that follow each other into as few as hold no more than `size`, or one stretch. */
export const pack = (stretches: readonly RecordEstimate[], size: number): readonly RecordEstimate[] => {
  const packed: RecordEstimate[] = [];
  for (const stretch of stretches) {
    const last = packed.at(-1);
    if (last !== undefined && last.records + stretch.records <= size) {
      packed.splice(-1, 1, { from: last.from, to: stretch.to, records: last.records + stretch.records });
    } else packed.push(stretch);
  }
  return packed;
};

const recordsIn = ({ groups }: Rollup): number =>
  groups.reduce((sum, { figures }) => sum + figures.invocations, 0);

/** What rollups of a grain say of a stretch: all of it in stretches of that grain, idle or not. */
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

/** Parts what holds too much more finely; a minute is never parted. */
const refineEstimates = async (
  rollups: RollupReader,
  tenantId: string,
  stretches: readonly RecordEstimate[],
  grain: RollupGrain,
  size: number,
): Promise<RecordEstimate[]> => {
  const finer = FINER[grain];
  if (finer === null) return [...stretches];
  const parts: RecordEstimate[] = [];
  for (const stretch of stretches) {
    if (stretch.records <= size) parts.push(stretch);
    else {
      const inside = await estimateRecords(rollups, tenantId, finer, stretch);
      parts.push(...(await refineEstimates(rollups, tenantId, inside, finer, size)));
    }
  }
  return parts;
};

/**
 * Parts a period into pieces that one step each can gather, by how many records its rollups count: small tenants have one
 * a month, busy minutes one of their own. Together they are the period exactly, whatever the rollups say.
 */
export const planPartitions = async (
  rollups: RollupReader,
  tenantId: string,
  { from, to }: ExportPeriod,
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
