import type { Rollup, RollupGrain } from '../../../schemas/rollup.ts';
import { LENGTH, startOf } from '../../rollups/period.ts';
import type { RollupReader } from '../../rollups/rollup.store.ts';
import { beginningOf, beginningOfNext, type Month, monthsBetween } from '../../shared/month.ts';
import type { ExportPeriod } from '../request/bounds.ts';

/** A stretch of one month that one step gathers, epoch milliseconds; `to` is excluded. */
export interface Piece {
  readonly month: Month;
  readonly from: number;
  readonly to: number;
}

/** A stretch of time and how many records it is expected to hold. */
export interface Expected {
  readonly from: number;
  readonly to: number;
  readonly records: number;
}

/** Records a piece should hold at most: a minute's work, so that a piece that is tried again costs little. */
const PIECE_RECORDS = 250_000;
/** Pieces of an export at most: what they are named by must fit into a payload of 256 KB. */
const PIECES_MAXIMUM = 400;

const FINER: Readonly<Record<RollupGrain, RollupGrain | null>> = {
  day: 'hour',
  hour: 'minute',
  minute: null,
};

/** How large pieces must be, for as few as may be: of two that follow each other one at least is half full. */
export const pieceSizeOf = (records: number, months: number): number =>
  Math.max(PIECE_RECORDS, Math.ceil((2 * records) / (PIECES_MAXIMUM - 2 * months)));

/** Packs stretches that follow each other into as few as hold no more than `size`, or one stretch. */
export const pack = (stretches: readonly Expected[], size: number): readonly Expected[] => {
  const packed: Expected[] = [];
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
const expectedIn = async (
  rollups: RollupReader,
  tenantId: string,
  grain: RollupGrain,
  { from, to }: Omit<Expected, 'records'>,
): Promise<Expected[]> => {
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
const refined = async (
  rollups: RollupReader,
  tenantId: string,
  stretches: readonly Expected[],
  grain: RollupGrain,
  size: number,
): Promise<Expected[]> => {
  const finer = FINER[grain];
  if (finer === null) return [...stretches];
  const parts: Expected[] = [];
  for (const stretch of stretches) {
    if (stretch.records <= size) parts.push(stretch);
    else {
      const inside = await expectedIn(rollups, tenantId, finer, stretch);
      parts.push(...(await refined(rollups, tenantId, inside, finer, size)));
    }
  }
  return parts;
};

/**
 * Parts a period into pieces that one step each can gather, by how many records its rollups count: small tenants have one
 * a month, busy minutes one of their own. Together they are the period exactly, whatever the rollups say.
 */
export const piecesOf = async (
  rollups: RollupReader,
  tenantId: string,
  { from, to }: ExportPeriod,
): Promise<readonly Piece[]> => {
  const months = monthsBetween(from, to - 1);
  const days: { readonly month: Month; readonly expected: readonly Expected[] }[] = [];
  for (const month of months) {
    const within = { from: Math.max(from, beginningOf(month)), to: Math.min(to, beginningOfNext(month)) };
    days.push({ month, expected: await expectedIn(rollups, tenantId, 'day', within) });
  }
  const records = days.flatMap(({ expected }) => expected).reduce((sum, day) => sum + day.records, 0);
  const size = pieceSizeOf(records, months.length);
  const pieces: Piece[] = [];
  for (const { month, expected } of days) {
    const parts = pack(await refined(rollups, tenantId, expected, 'day', size), size);
    for (const part of parts) pieces.push({ month, from: part.from, to: part.to });
  }
  return pieces;
};
