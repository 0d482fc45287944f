import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { RollupGrain } from '../../../schemas/ledger/rollup.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';

/** Length of each grain in milliseconds. All UTC days have the same length. */
export const LENGTH: Readonly<Record<RollupGrain, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** A quarter of an hour: the offsets of all time zones are multiples of it. Milliseconds. */
export const QUARTER_MS = 15 * MINUTE_MS;

/** Start of the grain period of an instant, epoch milliseconds. */
export const startOf = (grain: RollupGrain, at: number): number =>
  Math.floor(at / LENGTH[grain]) * LENGTH[grain];

/** A time range read from rollups of one grain. Epoch milliseconds, `to` excluded. */
export interface RollupRange extends Interval {
  readonly grain: RollupGrain;
}

const FINER: Readonly<Record<RollupGrain, RollupGrain | null>> = {
  day: 'hour',
  hour: 'minute',
  minute: null,
};

/**
 * Splits a period into whole days, with hours and minutes at its ends: the fewest rollups that cover it exactly, in
 * chronological order. Both ends must be on a whole minute. `grain` is the coarsest grain to use.
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

/** The UTC hours that begin in a period. */
export const hoursIn = ({ from, to }: Interval): number[] => {
  const first = ceilToHour(from);
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / HOUR_MS)) },
    (_, index) => first + index * HOUR_MS,
  );
};

/** Rounds up to a whole UTC hour. Epoch milliseconds. */
export const ceilToHour = (at: number): number => startOf('hour', at + HOUR_MS - 1);
