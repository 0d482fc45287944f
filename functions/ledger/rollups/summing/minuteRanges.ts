import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { startOf } from '../grain.ts';

/** Changed minutes at most this far apart are read with one query, which also reads the minutes between them. */
const GAP_MAXIMUM_MS = 5 * MINUTE_MS;
/** Most changed minutes of one query, so that the work between two checks of the remaining time is bounded. */
const RANGE_MINUTES = 15;
/** From this many ranges on, one query of all is tried first: each range costs four reads, however few its records are. */
const SCATTERED_RANGES = 2;

/** The fewest ranges that cover minutes, given by their starts, without a long gap and within one hour each. */
export const minuteRangesOf = (starts: readonly number[]): Interval[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const start of starts) {
    const last = ranges.at(-1);
    const isNear =
      last !== undefined &&
      start - last.to <= GAP_MAXIMUM_MS &&
      start - last.from < RANGE_MINUTES * MINUTE_MS &&
      startOf('hour', last.from) === startOf('hour', start);
    if (isNear) last.to = start + MINUTE_MS;
    else ranges.push({ from: start, to: start + MINUTE_MS });
  }
  return ranges;
};

/**
 * The period from the first to the last of changed minutes of an hour, given by their starts in order, if they are so
 * scattered that one read of it costs less than a read of each range. It also contains minutes that have not changed, so a
 * reader must stop when they have many records. Null if the minutes are not scattered, or are too many.
 */
export const scatteredRangeOf = (starts: readonly number[]): Interval | null => {
  const [first, last] = [starts.at(0), starts.at(-1)];
  if (first === undefined || last === undefined || starts.length > RANGE_MINUTES) return null;
  return minuteRangesOf(starts).length < SCATTERED_RANGES ? null : { from: first, to: last + MINUTE_MS };
};
