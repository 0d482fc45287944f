import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { startOf } from '../../ledger/rollups/grain.ts';

const WEEK_DAYS = 7;
const HISTORY_DAYS = 8 * WEEK_DAYS;
/**
 * A series with at least this history is compared with the same weekdays, a younger one with working days or with Saturdays
 * and Sundays.
 */
const WEEKLY_FROM_DAYS = 4 * WEEK_DAYS;
/** A series with a shorter history is not evaluated. */
const KNOWN_DAYS_MINIMUM = 5;
/** Days that a level needs. With fewer, all days together give it. */
const ROW_MINIMUM = 2;

/** Length of the history used for a baseline, in milliseconds. */
export const HISTORY_MS = HISTORY_DAYS * DAY_MS;

/** Offsets of the hours that give the spread, relative to the evaluated hour. Offset 0 alone gives the level. */
const NEIGHBOURS = [0, -1, 1];

/** The days before `day`, newest first, within the history and not before `since` (epoch milliseconds). */
export const daysBefore = (day: number, since: number): number[] =>
  Array.from({ length: HISTORY_DAYS }, (_, index) => day - (index + 1) * DAY_MS).filter(
    (start) => start >= since,
  );

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** Groups days into rows of similar days, those most similar to `day` first. */
const bySimilarity = (days: readonly number[], day: number): (readonly number[])[] => {
  if (days.length >= WEEKLY_FROM_DAYS) {
    const daysAfterWeekday = (start: number): number => ((day - start) / DAY_MS) % WEEK_DAYS;
    return [...Map.groupBy(days, daysAfterWeekday)]
      .sort(([one], [other]) => one - other)
      .map(([, row]) => row);
  }
  const own = days.filter((one) => isWeekend(one) === isWeekend(day));
  if (own.length < ROW_MINIMUM) return [days];
  return [own, days.filter((one) => isWeekend(one) !== isWeekend(day))];
};

/**
 * The starts of the baseline periods of a period, in rows of similar periods. The first row holds the most similar ones.
 * Empty when the history of the series is too short. `since` is the start of the first known day (epoch milliseconds).
 */
export const baselinePeriods = (grain: AnomalyGrain, start: number, since: number): (readonly number[])[] => {
  const day = startOf('day', start);
  const days = daysBefore(day, since);
  if (days.length < KNOWN_DAYS_MINIMUM) return [];
  const rows = bySimilarity(days, day);
  if (grain === 'day') return rows;
  return NEIGHBOURS.flatMap((neighbour) => {
    const time = start - day + neighbour * HOUR_MS;
    return rows.map((row) => row.map((before) => before + time));
  });
};

/** Whether an hour is at the same time of day as another one, or next to it. All instants are epoch milliseconds. */
export const isBaselineHour = (hour: number, start: number): boolean =>
  NEIGHBOURS.some((neighbour) => (hour - start - neighbour * HOUR_MS) % DAY_MS === 0);
