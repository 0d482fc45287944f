import type { AnomalyGrain } from '../../schemas/anomalies.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';

const WEEK_DAYS = 7;
const HISTORY_DAYS = 8 * WEEK_DAYS;
/** A series is held against its own weekdays from here on; a younger one against every day. */
const WEEKLY_FROM_DAYS = 4 * WEEK_DAYS;
/** A younger series is not judged at all. */
const KNOWN_DAYS_MINIMUM = WEEK_DAYS;

/** How far back a series is looked at, in milliseconds. */
export const HISTORY_MS = HISTORY_DAYS * LENGTH.day;

/** Hours, from the one that is judged, that tell how much hours differ; it alone gives the level. */
const NEIGHBOURS = [0, -1, 1];

/** The whole days before one, newest first, as far as a series is known (epoch milliseconds) and looked at. */
export const daysBefore = (day: number, since: number): number[] =>
  Array.from({ length: HISTORY_DAYS }, (_, index) => day - (index + 1) * LENGTH.day).filter(
    (start) => start >= since,
  );

/** Days by weekday, those of the day they come before first; in one row while they are few. */
const byWeekday = (days: readonly number[], day: number): (readonly number[])[] => {
  if (days.length < WEEKLY_FROM_DAYS) return [days];
  const placeOf = (start: number): number => ((day - start) / LENGTH.day) % WEEK_DAYS;
  return [...Map.groupBy(days, placeOf)].sort(([one], [other]) => one - other).map(([, row]) => row);
};

/**
 * The beginnings of the periods that one is held against, in rows of periods alike; those of the first row are most like
 * it. None where the series is too young.
 */
export const baselinePeriods = (grain: AnomalyGrain, start: number, since: number): (readonly number[])[] => {
  const day = startOf('day', start);
  const days = daysBefore(day, since);
  if (days.length < KNOWN_DAYS_MINIMUM) return [];
  const rows = byWeekday(days, day);
  if (grain === 'day') return rows;
  return NEIGHBOURS.flatMap((neighbour) => {
    const time = start - day + neighbour * LENGTH.hour;
    return rows.map((row) => row.map((before) => before + time));
  });
};

/** The stretches that hold every hour that an hour may be held against. */
export const baselineHourRanges = (start: number): { from: number; to: number }[] =>
  daysBefore(start, start - HISTORY_MS).map((before) => ({
    from: before + Math.min(...NEIGHBOURS) * LENGTH.hour,
    to: before + (Math.max(...NEIGHBOURS) + 1) * LENGTH.hour,
  }));
