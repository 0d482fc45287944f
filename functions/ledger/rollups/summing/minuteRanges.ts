import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { startOf } from '../grain.ts';

/** Changed minutes at most this far apart are read with one query, which also reads the minutes between them. */
const GAP_MAXIMUM_MS = 5 * MINUTE_MS;
/** Longest range of one query. After each range the remaining time is checked. */
const RANGE_MAXIMUM_MS = 15 * MINUTE_MS;

/** The fewest ranges that cover minutes, given by their starts, without a long gap and within one hour each. */
export const minuteRangesOf = (starts: readonly number[]): Interval[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const start of starts) {
    const last = ranges.at(-1);
    const isNear =
      last !== undefined &&
      start - last.to <= GAP_MAXIMUM_MS &&
      start - last.from < RANGE_MAXIMUM_MS &&
      startOf('hour', last.from) === startOf('hour', start);
    if (isNear) last.to = start + MINUTE_MS;
    else ranges.push({ from: start, to: start + MINUTE_MS });
  }
  return ranges;
};
