import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import type { StoredLines } from '../lines/storedLines.ts';

/** Target size of a write range, a few minutes of work. A day is never split, since suppressed lines are merged by day. */
const RANGE_LINES = 2_000_000;
/** File numbers reserved for each range, more than the files a range can have. */
export const FILE_NUMBERS_PER_RANGE = 1_000;

/** Whole days of one month that one step writes, in chronological order. */
export interface WriteRange extends Interval {
  readonly month: Month;
  /** Number of its first file. */
  readonly first: number;
  readonly lines: number;
}

/**
 * Splits a month into ranges of whole days, by the line counts of what was gathered. A month without lines is one range.
 * Corrections of earlier months come first.
 */
export const planWriteRanges = (
  month: Month,
  gathered: readonly Pick<StoredLines, 'days'>[],
  maxLines = RANGE_LINES,
): readonly WriteRange[] => {
  const byDay = new Map<number, number>();
  for (const [day, lines] of gathered.flatMap(({ days }) => days)) {
    byDay.set(day, (byDay.get(day) ?? 0) + lines);
  }
  const first = Math.min(startOfMonth(month), ...byDay.keys());
  const open = { from: first, lines: 0 };
  const ranges: { from: number; to: number; lines: number }[] = [];
  for (let day = first; day < startOfNextMonth(month); day += DAY_MS) {
    const lines = byDay.get(day) ?? 0;
    if (open.lines > 0 && open.lines + lines > maxLines) {
      ranges.push({ ...open, to: day });
      [open.from, open.lines] = [day, 0];
    }
    open.lines += lines;
  }
  ranges.push({ ...open, to: startOfNextMonth(month) });
  return ranges.map((range, index) => ({ ...range, month, first: index * FILE_NUMBERS_PER_RANGE + 1 }));
};
