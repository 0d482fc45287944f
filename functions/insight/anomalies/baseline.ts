import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { startOf } from '../../ledger/rollups/grain.ts';

const WEEK_DAYS = 7;
const HISTORY_DAYS = 8 * WEEK_DAYS;
/** A series with at least this history is compared with the same weekdays, a younger one with every day. */
const WEEKLY_FROM_DAYS = 4 * WEEK_DAYS;
/** A series with a shorter history is not evaluated. */
const KNOWN_DAYS_MINIMUM = WEEK_DAYS;

/** Length of the history used for a baseline, in milliseconds. */
export const HISTORY_MS = HISTORY_DAYS * DAY_MS;

/** Offsets of the hours that give the spread, relative to the evaluated hour. Offset 0 alone gives the level. */
const NEIGHBOURS = [0, -1, 1];

/** The days before `day`, newest first, within the history and not before `since` (epoch milliseconds). */
export const daysBefore = (day: number, since: number): number[] =>
  Array.from({ length: HISTORY_DAYS }, (_, index) => day - (index + 1) * DAY_MS).filter(
    (start) => start >= since,
  );

/** Groups days into rows by weekday, the weekday of `day` first. A short history stays in one row. */
const byWeekday = (days: readonly number[], day: number): (readonly number[])[] => {
  if (days.length < WEEKLY_FROM_DAYS) return [days];
  const daysAfterWeekday = (start: number): number => ((day - start) / DAY_MS) % WEEK_DAYS;
  return [...Map.groupBy(days, daysAfterWeekday)].sort(([one], [other]) => one - other).map(([, row]) => row);
};

/**
 * The starts of the baseline periods of a period, in rows of similar periods. The first row holds the most similar ones.
 * Empty when the history of the series is too short. `since` is the start of the first known day (epoch milliseconds).
 */
export const baselinePeriods = (grain: AnomalyGrain, start: number, since: number): (readonly number[])[] => {
  const day = startOf('day', start);
  const days = daysBefore(day, since);
  if (days.length < KNOWN_DAYS_MINIMUM) return [];
  const rows = byWeekday(days, day);
  if (grain === 'day') return rows;
  return NEIGHBOURS.flatMap((neighbour) => {
    const time = start - day + neighbour * HOUR_MS;
    return rows.map((row) => row.map((before) => before + time));
  });
};

/** Whether an hour is at the same time of day as another one, or next to it. All instants are epoch milliseconds. */
export const isBaselineHour = (hour: number, start: number): boolean =>
  NEIGHBOURS.some((neighbour) => (hour - start - neighbour * HOUR_MS) % DAY_MS === 0);
