import * as z from 'zod';
import {
  HOURLY_DAYS_MAXIMUM,
  REPORT_DAYS_DEFAULT,
  REPORT_MONTHS_MAXIMUM,
  type ReportField,
  type ReportInterval,
} from '../../schemas/reports.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import { ProblemError } from '../shared/problem.ts';

/** What a report is asked for, as far as time goes. */
export interface RangeQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: ReportInterval | undefined;
  readonly group_by?: readonly ReportField[] | undefined;
}

/** Whole hours of UTC, epoch milliseconds; `to` is excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const rejectQuery = (detail: string): never => {
  throw new ProblemError('INVALID_REQUEST', detail);
};

const Point = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  // Zod's spelling of an instant without seconds.
  z.iso.datetime({ offset: true, precision: -1 }),
]);

const instantOf = (name: string, text: string): number => {
  const { data } = Point.safeParse(text);
  if (data === undefined) return rejectQuery(`${name} must be an ISO date, or an instant with its offset.`);
  const at = Date.parse(data);
  return at % LENGTH.minute === 0 ? at : rejectQuery(`${name} must lie on a whole minute.`);
};

/** The next whole hour, unless it is one. */
const wholeHour = (at: number): number => startOf('hour', at + LENGTH.hour - 1);

/** Whether days must be read by the hour throughout, and not only where a range begins or ends within one. */
export const isHourly = ({ interval, group_by = [] }: RangeQuery): boolean =>
  interval === 'hour' || group_by.includes('hour');

/** The range a report covers, `now` being epoch milliseconds. Throws INVALID_REQUEST. */
export const rangeOf = (asked: RangeQuery, now: number): Range => {
  const to =
    asked.to === undefined ? startOf('hour', now) + LENGTH.hour : wholeHour(instantOf('to', asked.to));
  const from =
    asked.from === undefined
      ? startOf('day', Math.min(now, to - 1)) - REPORT_DAYS_DEFAULT * LENGTH.day
      : wholeHour(instantOf('from', asked.from));
  if (from > to) rejectQuery('from must lie before to.');
  const latest = new Date(from);
  latest.setUTCMonth(latest.getUTCMonth() + REPORT_MONTHS_MAXIMUM);
  if (to > latest.getTime() + LENGTH.hour)
    rejectQuery(`A report covers at most ${REPORT_MONTHS_MAXIMUM} months.`);
  if (isHourly(asked) && to - from > HOURLY_DAYS_MAXIMUM * LENGTH.day) {
    rejectQuery(`A report by the hour covers at most ${HOURLY_DAYS_MAXIMUM} days.`);
  }
  return { from, to };
};
