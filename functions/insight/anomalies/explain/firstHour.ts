import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Anomaly } from '../../../../schemas/insight/anomalies.ts';
import { HOURLY_DAYS_MAXIMUM } from '../../../../schemas/insight/reports.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { LENGTH, startOf } from '../../../ledger/rollups/grain.ts';
import { type Decimal, sumOf, wholeNumber, ZERO } from '../../../platform/shared/decimal.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { callsOf } from '../../reports/modelCalls.ts';
import { type ReportStores, readPeriod } from '../../reports/readPeriods.ts';
import { selectCohorts } from '../../reports/report.ts';
import { filterOf, intervalOf, weeksBefore } from './anomalyScope.ts';

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

/** The first hour of an anomaly (epoch milliseconds). Null if no hour shows it, or its period has too many. */
export const readFirstHour = async (
  stores: Pick<ReportStores, 'rollups'>,
  tenant: Tenant,
  anomaly: Anomaly,
  isCounted: (cohort: Cohort) => boolean,
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
