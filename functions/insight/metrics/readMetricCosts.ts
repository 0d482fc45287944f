import type { MetricCost } from '../../../schemas/insight/metricCosts.ts';
import type { MetricCostsQuery } from '../../../schemas/routes/insight/metricCosts.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { invalidParameter } from '../../platform/shared/problem.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import { startsIn } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { rangeOf } from '../reports/range.ts';
import { freshnessOf, type ReportStores, readPeriod } from '../reports/readPeriods.ts';
import { selectCohorts } from '../reports/report.ts';
import type { MetricReader, StoredMetric } from './metric.store.ts';
import { sumMetric } from './sumMetric.ts';

type MetricIntervals = MetricCostsQuery['interval'];

/** The rows of a metric: one for the range, or one for each day or month of it. Calls count on the day on which reports show them. */
export const metricRows = (
  metric: StoredMetric,
  cohorts: readonly Cohort[],
  range: Interval,
  interval: MetricIntervals,
  calendar: Calendar,
): MetricCost[] => {
  const { id, name, owner, service, residency, numbers } = metric;
  const query = { interval, ...(owner !== null && { owner }), ...(service !== null && { service }) };
  const { matching, undetermined } = selectCohorts(cohorts, query, range, residency);
  const dateOf = ({ at }: Cohort): string => calendar.dateOf(at);
  const [shown, possible] = [Map.groupBy(matching, dateOf), Map.groupBy(undetermined, dateOf)];
  const days = startsIn(calendar, 'day', range);
  const startOf = (day: number): number =>
    interval === undefined ? range.from : calendar.startOf(interval, day);
  return [...Map.groupBy(days, startOf)].map(([start, inside]) => {
    const dates = inside.map((day) => calendar.dateOf(day));
    const counted = dates.filter((date) => Object.hasOwn(numbers, date));
    const of = (all: ReadonlyMap<string, readonly Cohort[]>): Cohort[] =>
      counted.flatMap((date) => all.get(date) ?? []);
    return {
      metric_id: id,
      name,
      owner,
      service,
      ...(interval !== undefined && { interval_start: toIso(start) }),
      days: counted.length,
      days_without_number: dates.length - counted.length,
      ...sumMetric(
        counted.map((date) => numbers[date] ?? '0'),
        of(shown),
        of(possible),
      ),
    };
  });
};

const byName = (one: StoredMetric, other: StoredMetric): number => {
  const [left, right] = [one, other].map(({ name, owner, service }) =>
    JSON.stringify([name, owner, service]),
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
};

/** The whole days of a range that have ended at `asOf`: a number is of a whole day. Throws INVALID_REQUEST if there are none. */
const endedDays = ({ from, to }: Interval, asOf: number, calendar: Calendar): Interval => {
  const begun = calendar.startOf('day', from);
  const first = begun === from ? from : calendar.shift('day', from, 1);
  const end = calendar.startOf('day', Math.min(to, asOf));
  if (first < end) return { from: first, to: end };
  throw invalidParameter('INVALID_REQUEST', 'The range has no whole day that has ended.', 'from', 'to');
};

/** What a unit of each metric costs, as of `asOf` (epoch milliseconds). Throws INVALID_REQUEST for an invalid range. */
export const readMetricCosts = async (
  stores: ReportStores & { readonly metrics: MetricReader },
  { tenant, residency }: Pick<Caller, 'tenant' | 'residency'>,
  query: MetricCostsQuery,
  asOf: number,
) => {
  const calendar = calendarOf(tenant);
  // By the day, also for a range: the numbers are those of days.
  const daily = { from: query.from, to: query.to, interval: 'day' as const };
  const range = endedDays(rangeOf(daily, asOf, calendar), asOf, calendar);
  const [read, metrics, lag] = await Promise.all([
    readPeriod(stores, tenant, daily, range),
    stores.metrics.list(tenant.tenant_id),
    stores.indexLag.totalsLag(tenant.tenant_id),
  ]);
  const own = metrics.filter(
    (metric) => metric.residency === residency && (query.name === undefined || metric.name === query.name),
  );
  return {
    rows: own
      .toSorted(byName)
      .flatMap((metric) => metricRows(metric, read.cohorts, range, query.interval, calendar)),
    envelope: {
      period: selectCohorts(read.cohorts, {}, range, residency).period,
      time_zone: calendar.timeZone,
      ...freshnessOf([read], lag, range, asOf),
    },
  };
};
