import { LENGTH } from '../../rollups/grain.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../shared/month.ts';
import type { SortedRun, TimeRange } from '../aggregation/sortedRuns.ts';

/** Lines one step puts together: a few minutes' work. A day is never parted, since what is folded comes by day. */
const RANGE_LINES = 2_000_000;
/** Numbers between the first files of two stretches: more than one of them may have files. */
export const FILE_NUMBERS_PER_RANGE = 1_000;

/** Whole days of one month that one step writes, in order of time. */
export interface WriteRange extends TimeRange {
  readonly month: Month;
  /** Of its first file. */
  readonly first: number;
  readonly lines: number;
}

/** Parts a month into stretches of whole days by the lines of its runs; a month without any is one stretch. */
export const planWriteRanges = (
  month: Month,
  runs: readonly Pick<SortedRun, 'days'>[],
  most = RANGE_LINES,
): readonly WriteRange[] => {
  const byDay = new Map<number, number>();
  for (const [day, lines] of runs.flatMap(({ days }) => days)) {
    byDay.set(day, (byDay.get(day) ?? 0) + lines);
  }
  const open = { from: startOfMonth(month), lines: 0 };
  const ranges: { from: number; to: number; lines: number }[] = [];
  for (let day = startOfMonth(month); day < startOfNextMonth(month); day += LENGTH.day) {
    const lines = byDay.get(day) ?? 0;
    if (open.lines > 0 && open.lines + lines > most) {
      ranges.push({ ...open, to: day });
      [open.from, open.lines] = [day, 0];
    }
    open.lines += lines;
  }
  ranges.push({ ...open, to: startOfNextMonth(month) });
  return ranges.map((range, index) => ({ ...range, month, first: index * FILE_NUMBERS_PER_RANGE + 1 }));
};
