import { nextStart } from '../series.ts';
import type { IntervalLength } from './intervalLabels.ts';

/** What happened on a day. */
export interface DatedNote {
  readonly date: string;
  readonly text: string;
}

/** The notes of each interval of a chart, by its start. A day is in its first hour, or in its month. */
export const notesByInterval = (
  notes: readonly DatedNote[],
  intervals: readonly { readonly at: string }[],
  length: IntervalLength,
): ReadonlyMap<string, string> =>
  new Map(
    intervals.flatMap(({ at }) => {
      const [from, day] = [Date.parse(at), (date: string) => Date.parse(date)];
      const inside = notes.filter(({ date }) => from <= day(date) && day(date) < nextStart(from, length));
      return inside.length === 0 ? [] : [[at, inside.map(({ text }) => text).join(' · ')] as const];
    }),
  );
