import * as z from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import {
  HOURLY_DAYS_MAXIMUM,
  REPORT_DAYS_DEFAULT,
  REPORT_MONTHS_MAXIMUM,
  type ReportField,
  type ReportInterval,
} from '../../../schemas/insight/reports.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { invalidParameter } from '../../platform/shared/problem.ts';
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

const Point = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  // In Zod, precision -1 means an instant without seconds.
  z.iso.datetime({ offset: true, precision: -1 }),
]);

const instantOf = (name: string, text: string): number => {
  const { data } = Point.safeParse(text);
  if (data === undefined)
    return rejectQuery(`${name} must be an ISO date or an instant with a UTC offset.`, name);
  const at = Date.parse(data);
  return at % MINUTE_MS === 0 ? at : rejectQuery(`${name} must be on a whole minute.`, name);
};

/** Whether all days must be read by the hour, not only those in which the range starts or ends. */
export const isHourly = ({ interval, group_by = [] }: RangeQuery): boolean =>
  interval === 'hour' || group_by.includes('hour');

/**
 * The part of the period before that corresponds to what has elapsed of a range at `now` (epoch milliseconds): a period that
 * has not ended is not compared with a whole one.
 */
export const rangeBefore = ({ from, to }: Interval, now: number): Interval => {
  const start = from - (to - from);
  const elapsed = Math.floor((Math.min(to, Math.max(from, now)) - from) / MINUTE_MS) * MINUTE_MS;
  return { from: start, to: start + elapsed };
};

/** The days before a period of which calls show that the tenant had begun to send them. */
const EARLIER_MS = 31 * DAY_MS;
export const rangeAhead = ({ from }: Interval): Interval => ({ from: from - EARLIER_MS, to: from });

/** The range of a report at `now` (epoch milliseconds). Throws INVALID_REQUEST. */
export const rangeOf = (query: RangeQuery, now: number): Interval => {
  const to = query.to === undefined ? startOf('hour', now) + HOUR_MS : instantOf('to', query.to);
  const from =
    query.from === undefined
      ? startOf('day', Math.min(now, to - 1)) - REPORT_DAYS_DEFAULT * DAY_MS
      : instantOf('from', query.from);
  if (from >= to) rejectQuery('from must be before to.', 'from', 'to');
  const latest = new Date(from);
  latest.setUTCMonth(latest.getUTCMonth() + REPORT_MONTHS_MAXIMUM);
  if (to > latest.getTime() + HOUR_MS)
    rejectQuery(
      `A report covers at most ${REPORT_MONTHS_MAXIMUM} months. Choose a shorter range.`,
      'from',
      'to',
    );
  if (isHourly(query) && to - from > HOURLY_DAYS_MAXIMUM * DAY_MS) {
    rejectQuery(
      `An hourly report covers at most ${HOURLY_DAYS_MAXIMUM} days. Choose a shorter range.`,
      'from',
      'to',
    );
  }
  return { from, to };
};
