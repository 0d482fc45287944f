import type { RollupGrain } from '../../schemas/rollup.ts';

const MINUTE = 60_000;

/** Length of each grain in milliseconds. UTC has days of one length. */
export const LENGTH: Readonly<Record<RollupGrain, number>> = {
  minute: MINUTE,
  hour: 60 * MINUTE,
  day: 24 * 60 * MINUTE,
};

/** The beginning of the period an instant lies in, epoch milliseconds. */
export const startOf = (grain: RollupGrain, at: number): number =>
  Math.floor(at / LENGTH[grain]) * LENGTH[grain];

/** A stretch that is read from rollups of one grain: `from` included, `to` not. */
export interface RollupRange {
  readonly grain: RollupGrain;
  readonly from: number;
  readonly to: number;
}

const FINER: Readonly<Record<RollupGrain, RollupGrain | null>> = {
  day: 'hour',
  hour: 'minute',
  minute: null,
};

/**
 * A period as whole days, with hours and minutes at its edges: the fewest rollups that make it up exactly, in order.
 * Both ends must lie on a minute.
 */
export const splitIntoRollupRanges = (
  from: number,
  to: number,
  grain: RollupGrain = 'day',
): RollupRange[] => {
  if (from >= to) return [];
  const begin = startOf(grain, from + LENGTH[grain] - 1);
  const end = startOf(grain, to);
  const finer = FINER[grain];
  if (finer === null) return [{ grain, from: begin, to: end }];
  if (begin >= end) return splitIntoRollupRanges(from, to, finer);
  return [
    ...splitIntoRollupRanges(from, begin, finer),
    { grain, from: begin, to: end },
    ...splitIntoRollupRanges(end, to, finer),
  ];
};
