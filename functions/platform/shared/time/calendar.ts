import { DAY_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { UTC } from '../../../../schemas/tenants/timeZone.ts';
import { memoize } from '../caches/memoize.ts';
import type { Interval } from './interval.ts';
import { utcDateOf } from './toIso.ts';

/** A day of a calendar, such as `2026-03-29`. */
export type CalendarDate = string;
export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Days, weeks, months, quarters and years in a time zone. Instants are epoch milliseconds. */
export interface Calendar {
  readonly timeZone: string;
  readonly dateOf: (at: number) => CalendarDate;
  /** The first instant of a date. When the clocks change, a day has 23 or 25 hours and may begin after midnight. */
  readonly startOfDate: (date: CalendarDate) => number;
  /** The start of the unit that contains an instant. Weeks begin on Monday. */
  readonly startOf: (unit: CalendarUnit, at: number) => number;
  /** The start of the unit that begins `count` units after the one that contains an instant. */
  readonly shift: (unit: CalendarUnit, at: number, count: number) => number;
}

/** The clocks of all zones change at a whole quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const OFFSETS_KEPT = 4_000;
const CALENDARS_KEPT = 500;

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
const offsetIn = (timeZone: string): ((at: number) => number) => {
  if (timeZone === UTC) return () => 0;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const atQuarter = memoize((quarter) => {
    const name = format
      .formatToParts(Number(quarter) * QUARTER_MS)
      .find(({ type }) => type === 'timeZoneName');
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name?.value ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  }, OFFSETS_KEPT);
  return (at) => atQuarter(String(Math.floor(at / QUARTER_MS)));
};

/** The first day of a unit, as days of UTC. */
const firstDayOf: Readonly<Record<CalendarUnit, (day: Date, count: number) => number>> = {
  day: (day, count) => day.getTime() + count * DAY_MS,
  week: (day, count) => day.getTime() + (count * 7 - ((day.getUTCDay() + 6) % 7)) * DAY_MS,
  month: (day, count) => Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count),
  quarter: (day, count) => Date.UTC(day.getUTCFullYear(), (Math.floor(day.getUTCMonth() / 3) + count) * 3),
  year: (day, count) => Date.UTC(day.getUTCFullYear() + count, 0),
};

const makeCalendar = (timeZone: string): Calendar => {
  const offsetAt = offsetIn(timeZone);

  /** The first quarter of an hour from `from` on with another offset. */
  const changeAfter = (from: number): number => {
    const before = offsetAt(from);
    let at = Math.ceil(from / QUARTER_MS) * QUARTER_MS;
    while (offsetAt(at) === before) at += QUARTER_MS;
    return at;
  };
  const startOfDate = memoize((date) => {
    const midnight = Date.parse(date);
    // The offsets on both sides of every change of the clocks that can lie near this midnight.
    const [earlier, later] = [offsetAt(midnight - DAY_MS), offsetAt(midnight + DAY_MS)];
    const first = midnight - earlier;
    if (earlier === later || offsetAt(first) === earlier) return first;
    const second = midnight - later;
    // Without a midnight, the day begins when the clocks change.
    return offsetAt(second) === later ? second : changeAfter(second);
  });
  const dateOf = (at: number): CalendarDate => utcDateOf(Math.floor((at + offsetAt(at)) / DAY_MS) * DAY_MS);
  const shift = (unit: CalendarUnit, at: number, count: number): number =>
    startOfDate(utcDateOf(firstDayOf[unit](new Date(dateOf(at)), count)));

  return { timeZone, dateOf, startOfDate, startOf: (unit, at) => shift(unit, at, 0), shift };
};

/** The calendar of an IANA time zone. */
export const calendarIn = memoize(makeCalendar, CALENDARS_KEPT);

/** The starts of the units in a period, of which the first can begin before it. */
export const startsIn = (calendar: Calendar, unit: CalendarUnit, { from, to }: Interval): number[] => {
  const starts: number[] = [];
  for (let at = calendar.startOf(unit, from); at < to; at = calendar.shift(unit, at, 1)) starts.push(at);
  return starts;
};
