import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import {
  HOURLY_DAYS_MAXIMUM,
  LOCAL_DAYS_MAXIMUM,
  REPORT_DAYS_DEFAULT,
  REPORT_MONTHS_MAXIMUM,
  type ReportField,
  type ReportInterval,
} from '../../../schemas/insight/reports.ts';
import { UTC } from '../../../schemas/tenants/timeZone.ts';
import { hoursIn, startOf } from '../../ledger/rollups/grain.ts';
import { invalidParameter } from '../../platform/shared/problem.ts';
import { type Calendar, type CalendarUnit, startsIn } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';

/** The query parameters of a report that concern time. */
export interface RangeQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: ReportInterval | undefined;
  readonly group_by?: readonly ReportField[] | undefined;
}

const rejectQuery = (detail: string, ...parameters: readonly string[]): never => {
  throw invalidParameter('INVALID_REQUEST', detail, ...parameters);
};

const DATE_LENGTH = '2026-01-01'.length;

/** A date begins in the time zone of the calendar. */
const instantOf = (name: string, text: string, calendar: Calendar): number => {
  const at = text.length === DATE_LENGTH ? calendar.startOfDate(text) : Date.parse(text);
  return at % MINUTE_MS === 0 ? at : rejectQuery(`${name} must be on a whole minute.`, name);
};

const isHourly = ({ interval, group_by = [] }: RangeQuery): boolean =>
  interval === 'hour' || group_by.includes('hour');
const isDaily = ({ interval, group_by = [] }: RangeQuery): boolean =>
  interval === 'day' || group_by.includes('day');

/** The instants at which the sums of a report of a range are divided. */
export const endsIn = (query: RangeQuery, range: Interval, calendar: Calendar): number[] => [
  ...(isHourly(query) ? hoursIn(range) : []),
  ...(isDaily(query) ? startsIn(calendar, 'day', range) : []),
  ...(query.interval === 'month' ? startsIn(calendar, 'month', range) : []),
];

/** The units by which a period can be whole, from the longest of which the number in a period can vary. */
const comparedUnits = ['month', 'day'] as const;
/** The units that a period without an end may have begun. A month comes first: the first of a month can be a Monday. */
const begunUnits = ['month', 'quarter', 'year', 'week'] as const;

/** The number of units between two starts. Not negative. */
const countBetween = (calendar: Calendar, unit: CalendarUnit, from: number, to: number): number =>
  startsIn(calendar, unit, { from, to }).length;

/** The range of which a report shows a part at `now`, if it has no end and begins with the current month, quarter, year or week. */
const begunRange = ({ from, to }: Interval, calendar: Calendar, now: number): Interval => {
  const unit = begunUnits.find((one) => calendar.startOf(one, now) === from);
  return unit === undefined ? { from, to } : { from, to: calendar.shift(unit, from, 1) };
};

/**
 * The period before that corresponds to what has elapsed of a range at `now` (epoch milliseconds): a period that has not ended
 * is not compared with a whole one. Whole months are compared with as many months before, also quarters and years, and whole
 * days with as many days, also weeks. Any other range is compared with the time before it of the same length.
 */
export const rangeBefore = (
  query: Pick<RangeQuery, 'to'>,
  range: Interval,
  calendar: Calendar,
  now: number,
): Interval => {
  const { from, to } = query.to === undefined ? begunRange(range, calendar, now) : range;
  const end = Math.min(to, Math.max(from, now));
  const unit = comparedUnits.find(
    (one) => calendar.startOf(one, from) === from && calendar.startOf(one, to) === to,
  );
  if (unit === undefined) {
    const start = from - (to - from);
    return { from: start, to: start + Math.floor((end - from) / MINUTE_MS) * MINUTE_MS };
  }
  const start = calendar.shift(unit, from, -countBetween(calendar, unit, from, to));
  if (end === to) return { from: start, to: from };
  // As many days and the same time of the last day, but no longer than the period before.
  const today = calendar.startOf('day', end);
  const elapsedDays = countBetween(calendar, 'day', from, today);
  const elapsed = Math.floor((end - today) / MINUTE_MS) * MINUTE_MS;
  return { from: start, to: Math.min(from, calendar.shift('day', start, elapsedDays) + elapsed) };
};

/** The query parameters of a comparison. */
export interface ComparedQuery extends RangeQuery {
  readonly previous_from?: string | undefined;
  readonly previous_to?: string | undefined;
}

/** The period that a range is compared with: the one that the query names, or the one before. Throws INVALID_REQUEST. */
export const comparedRangeOf = (
  query: ComparedQuery,
  range: Interval,
  calendar: Calendar,
  now: number,
): Interval =>
  query.previous_from === undefined
    ? rangeBefore(query, range, calendar, now)
    : rangeOf({ from: query.previous_from, to: query.previous_to, interval: query.interval }, now, calendar, [
        'previous_from',
        'previous_to',
      ]);

/** The days before a period of which calls show that the tenant had begun to send them. */
const EARLIER_MS = 31 * DAY_MS;
export const rangeAhead = ({ from }: Interval): Interval => ({ from: from - EARLIER_MS, to: from });

/**
 * The range of a report at `now` (epoch milliseconds). Dates are those of the calendar. `names` are the parameters of its ends.
 * Throws INVALID_REQUEST.
 */
export const rangeOf = (
  query: RangeQuery,
  now: number,
  calendar: Calendar,
  [start, end]: readonly [string, string] = ['from', 'to'],
): Interval => {
  const to = query.to === undefined ? startOf('hour', now) + HOUR_MS : instantOf(end, query.to, calendar);
  const from =
    query.from === undefined
      ? calendar.shift('day', Math.min(now, to - 1), -REPORT_DAYS_DEFAULT)
      : instantOf(start, query.from, calendar);
  if (from >= to) rejectQuery(`${start} must be before ${end}.`, start, end);
  const latest = new Date(from);
  latest.setUTCMonth(latest.getUTCMonth() + REPORT_MONTHS_MAXIMUM);
  if (to > latest.getTime() + HOUR_MS)
    rejectQuery(
      `A report covers at most ${REPORT_MONTHS_MAXIMUM} months. Choose a shorter range.`,
      start,
      end,
    );
  if (isHourly(query) && to - from > HOURLY_DAYS_MAXIMUM * DAY_MS) {
    rejectQuery(
      `An hourly report covers at most ${HOURLY_DAYS_MAXIMUM} days. Choose a shorter range.`,
      start,
      end,
    );
  }
  if (isDaily(query) && calendar.timeZone !== UTC && to - from > LOCAL_DAYS_MAXIMUM * DAY_MS) {
    rejectQuery(
      `A report by day covers at most ${LOCAL_DAYS_MAXIMUM} days in a time zone other than UTC. Choose a shorter range.`,
      start,
      end,
    );
  }
  return { from, to };
};
