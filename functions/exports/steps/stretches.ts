import { LENGTH } from '../../rollups/period.ts';
import { beginningOf, beginningOfNext, type Month } from '../../shared/month.ts';
import type { Run, Stretch } from '../aggregation/runs.ts';

/** Lines one step puts together: a few minutes' work. A day is never parted, since what is folded comes by day. */
const STRETCH_LINES = 2_000_000;
/** Numbers between the first files of two stretches: more than one of them may have files. */
export const FILES_APART = 1_000;

/** Whole days of one month that one step writes, in order of time. */
export interface StretchOfMonth extends Stretch {
  readonly month: Month;
  /** Of its first file. */
  readonly first: number;
  readonly lines: number;
}

/** Parts a month into stretches of whole days by the lines of its runs; a month without any is one stretch. */
export const stretchesOf = (
  month: Month,
  runs: readonly Pick<Run, 'days'>[],
  most = STRETCH_LINES,
): readonly StretchOfMonth[] => {
  const byDay = new Map<number, number>();
  for (const [day, lines] of runs.flatMap(({ days }) => days)) {
    byDay.set(day, (byDay.get(day) ?? 0) + lines);
  }
  const open = { from: beginningOf(month), lines: 0 };
  const stretches: { from: number; to: number; lines: number }[] = [];
  for (let day = beginningOf(month); day < beginningOfNext(month); day += LENGTH.day) {
    const lines = byDay.get(day) ?? 0;
    if (open.lines > 0 && open.lines + lines > most) {
      stretches.push({ ...open, to: day });
      [open.from, open.lines] = [day, 0];
    }
    open.lines += lines;
  }
  stretches.push({ ...open, to: beginningOfNext(month) });
  return stretches.map((stretch, index) => ({ ...stretch, month, first: index * FILES_APART + 1 }));
};
