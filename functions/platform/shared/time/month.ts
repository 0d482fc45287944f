import { toIso } from './toIso.ts';

/** A month in UTC, such as `2026-03`. Months sort chronologically as text. */
export type Month = string;

export const monthOf = (milliseconds: number): Month => toIso(milliseconds).slice(0, 7);

/** The start of a month in epoch milliseconds. */
export const startOfMonth = (month: Month): number => Date.parse(`${month}-01T00:00:00Z`);

export const startOfNextMonth = (month: Month): number =>
  Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)));

/** The months from one instant to another (epoch milliseconds, both included), ascending. */
export const monthsBetween = (from: number, to: number): Month[] => {
  const months: Month[] = [];
  for (let at = from; at <= to; at = startOfNextMonth(monthOf(at))) months.push(monthOf(at));
  return months;
};
