import { endsIn, rangeAhead, rangeBefore } from '../../../functions/insight/reports/range.ts';
import { reportOf } from '../../../functions/insight/reports/report.ts';
import { sumAdoption, sumUsage } from '../../../functions/insight/reports/reportTotals.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import {
  type ReportField,
  type ReportInterval,
  reportFields,
  type TopMeasure,
} from '../../../schemas/insight/reports.ts';
import { type Call, rollupReaderOf, TENANT } from './calls.ts';

export interface ReportQuery {
  readonly group_by?: readonly ReportField[];
  readonly interval?: ReportInterval | undefined;
  readonly top?: number | undefined;
  readonly top_by?: TopMeasure | undefined;
  readonly compare?: 'previous_period' | undefined;
  readonly lane?: string | null;
  /** IANA time zone. Default: UTC. */
  readonly timeZone?: string;
  /** Parameters that filter, such as `owner[in]`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
}

/** Names the group and interval of a row. */
export const nameOfRow = (row: { readonly kind: string; readonly interval_start?: string }): string => {
  const members = new Map(Object.entries(row));
  const names = ['kind', 'interval_start', 'tags', ...reportFields];
  return JSON.stringify(names.map((name) => members.get(name) ?? (members.has(name) ? null : 0)));
};

/** The usage report of these calls. */
export const runUsageReport = async (
  calls: readonly Call[],
  from: number,
  to: number,
  asked: ReportQuery = {},
  now = to,
) => {
  const { lane = null, filters, timeZone = 'UTC', ...rest } = asked;
  const calendar = calendarIn(timeZone);
  const query = { ...rest, ...filters };
  const range = { from, to };
  const read = (period: typeof range) =>
    readCohorts(rollupReaderOf(calls), TENANT, period, endsIn(query, period, calendar));
  const { cohorts } = await read(range);
  if (query.compare === undefined) return reportOf(cohorts, query, range, lane, sumUsage, calendar);
  const before = rangeBefore({ to: '' }, range, calendar, now);
  const [previous, ahead] = await Promise.all([read(before), read(rangeAhead(before))]);
  return reportOf(cohorts, query, range, lane, sumUsage, calendar, {
    range: before,
    cohorts: previous.cohorts,
    ahead: ahead.cohorts,
  });
};

export const runAdoptionReport = async (
  calls: readonly Call[],
  from: number,
  to: number,
  asked: ReportQuery = {},
) => {
  const { lane = null, timeZone = 'UTC', ...query } = asked;
  const calendar = calendarIn(timeZone);
  const range = { from, to };
  const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, range, endsIn(query, range, calendar));
  return reportOf(cohorts, query, range, lane, sumAdoption, calendar);
};
