import { DAY_MS } from '../../../schemas/durations.ts';
import { ANOMALY_MOVERS_MAXIMUM, type Anomaly } from '../../../schemas/insight/anomalies.ts';
import { HOURLY_DAYS_MAXIMUM } from '../../../schemas/insight/reports.ts';
import type { ChangesQuery } from '../../../schemas/routes/insight/changes.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { LENGTH, startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, sumOf, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { readChanges } from '../reports/changes/readChanges.ts';
import { callsOf } from '../reports/modelCalls.ts';
import { type ReportStores, readPeriod } from '../reports/readPeriods.ts';
import { selectCohorts } from '../reports/report.ts';

const WEEK_MS = 7 * DAY_MS;

/** What the calls of an anomaly have in common. */
const filterOf = ({
  dimension,
  value,
}: Anomaly): Partial<Record<'owner' | 'service' | 'served_model', string>> =>
  dimension === 'tenant' || value === null ? {} : { [dimension]: value };

const moversBy = ({ dimension }: Anomaly): 'owner' | 'service' | 'served_model' =>
  dimension === 'owner' ? 'service' : dimension === 'service' ? 'served_model' : 'owner';

const intervalOf = ({ period: { from, to } }: Anomaly): Interval => ({
  from: Date.parse(from),
  to: Date.parse(to),
});

/** The same weekdays before, so many weeks that the periods do not overlap. */
export const weeksBefore = ({ from, to }: Interval): Interval => {
  const shift = Math.ceil((to - from) / WEEK_MS) * WEEK_MS;
  return { from: from - shift, to: to - shift };
};

/** The first hour that costs at least the mean of all hours more than the same hour before. Amounts are by the start of the hour. */
export const firstHour = (
  now: ReadonlyMap<number, Decimal>,
  before: ReadonlyMap<number, Decimal>,
  range: Interval,
): number | null => {
  const shift = range.from - weeksBefore(range).from;
  const hours = Array.from(
    { length: (range.to - range.from) / LENGTH.hour },
    (_, index) => range.from + index * LENGTH.hour,
  );
  const risen = hours.map((hour) => (now.get(hour) ?? ZERO).minus(before.get(hour - shift) ?? ZERO));
  const sum = sumOf(risen);
  if (sum.lte(ZERO)) return null;
  const index = risen.findIndex((rise) => rise.times(wholeNumber(hours.length)).gte(sum));
  return hours[index] ?? null;
};

type IsCounted = (cohort: Cohort) => boolean;

const readFirstHour = async (
  stores: Pick<ReportStores, 'rollups'>,
  tenant: Tenant,
  anomaly: Anomaly,
  isCounted: IsCounted,
): Promise<number | null> => {
  const range = intervalOf(anomaly);
  if (anomaly.grain === 'hour') return range.from;
  if (range.to - range.from > HOURLY_DAYS_MAXIMUM * DAY_MS) return null;
  const query = { interval: 'hour' as const, ...filterOf(anomaly) };
  const costs = async (period: Interval): Promise<ReadonlyMap<number, Decimal>> => {
    const { cohorts } = await readPeriod(stores, tenant, query, period);
    const { matching } = selectCohorts(cohorts.filter(isCounted), query, period, anomaly.residency);
    const hours = Map.groupBy(matching, ({ at }) => startOf('hour', at));
    return new Map([...hours].map(([hour, own]) => [hour, callsOf(own).cost]));
  };
  const [now, before] = await Promise.all([costs(range), costs(weeksBefore(range))]);
  return firstHour(now, before, range);
};

const linksOf = (anomaly: Anomaly, query: ChangesQuery) => {
  const { from = '', to = '' } = query;
  const address = (path: string, parameters: object): string =>
    `${path}?${new URLSearchParams({ ...parameters, ...filterOf(anomaly) })}`;
  return {
    changes: address('/v1/reports/changes', {
      from,
      to,
      previous_from: query.previous_from ?? '',
      previous_to: query.previous_to ?? '',
      group_by: moversBy(anomaly),
    }),
    hours: address('/v1/reports/usage', { from, to, interval: 'hour' }),
    calls: address('/v1/attribution', {
      'occurred_at[gte]': from,
      'occurred_at[lt]': to,
      sort: '-cost_usd',
    }),
  };
};

/** What led to an anomaly since the same weekdays before, from calls of its lane, as of `asOf` (epoch milliseconds). */
export const explainAnomaly = async (
  stores: ReportStores,
  tenant: Tenant,
  anomaly: Anomaly,
  asOf: number,
) => {
  const previous = weeksBefore(intervalOf(anomaly));
  const query: ChangesQuery = {
    ...anomaly.period,
    previous_from: toIso(previous.from),
    previous_to: toIso(previous.to),
    ...filterOf(anomaly),
    group_by: [moversBy(anomaly)],
  };
  // The lane null holds all calls for a reader. An anomaly is of those without a lane.
  const isCounted: IsCounted = ({ lane }) => (lane ?? null) === anomaly.residency;
  const [hour, { rows, envelope }] = await Promise.all([
    readFirstHour(stores, tenant, anomaly, isCounted),
    readChanges(stores, { tenant, residency: anomaly.residency }, query, asOf, isCounted),
  ]);
  return {
    first_hour: hour === null ? null : toIso(hour),
    change: envelope.totals,
    previous: envelope.previous,
    movers: rows.slice(0, ANOMALY_MOVERS_MAXIMUM),
    links: linksOf(anomaly, query),
    as_of: envelope.as_of,
    stale: envelope.stale,
  };
};
