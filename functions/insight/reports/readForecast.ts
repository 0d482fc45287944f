import type { ForecastTotals } from '../../../schemas/insight/forecast.ts';
import type { ForecastQuery } from '../../../schemas/routes/insight/reports.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf, invocationsOf } from '../../ledger/cohorts/cohortTotals.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { completeUntil } from '../../ledger/freshness/totalsLag.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { type CostInTime, forecastPeriod, lookback } from '../trends/periodForecast.ts';
import { possibleCallsOf } from './hiddenCalls.ts';
import type { ReportStores } from './readPeriods.ts';
import { selectCohorts } from './report.ts';
import { buildRows, membersOf } from './reportRows.ts';
import { sumPrevious, totalsByOwnerState } from './reportTotals.ts';
import { unmatchedNames } from './unmatchedNames.ts';

const withoutPersons = (cohorts: readonly Cohort[]) =>
  figuresOf(cohorts, (figures) => ({ ...figures, persons: [] }));

/** The sums of a forecast over cohorts of its period and of the days before it. */
const sumForecast = (
  cohorts: readonly Cohort[],
  possible: readonly Cohort[],
  period: Interval,
  now: number,
): ForecastTotals => {
  const inPeriod = ({ at }: Cohort): boolean => period.from <= at && at < period.to;
  const ofPeriod = cohorts.filter(inPeriod);
  const { invocations, cost_usd: cost } = withoutPersons(ofPeriod);
  const most = sumPrevious([...ofPeriod, ...possible.filter(inPeriod)]);
  const costs = cohorts.map((one): CostInTime => {
    const { invocations: calls, cost_usd } = withoutPersons([one]);
    const { central: spent, unknown: unpriced } = cost_usd;
    return { at: one.at, spent, priced: calls - unpriced, unpriced };
  });
  return {
    spent_usd:
      (invocations > 0 && cost.unknown === invocations) || (invocations === 0 && most.invocations > 0)
        ? null
        : cost.central,
    spent_usd_maximum: most.cost_usd,
    owner_states: totalsByOwnerState(ofPeriod),
    ...forecastPeriod(costs, period, now),
    unpriced_invocations: cost.unknown,
  };
};

/** The forecast of the month or quarter of `asOf` (epoch milliseconds), by group. */
export const readForecast = async (
  stores: ReportStores,
  caller: Pick<Caller, 'tenant' | 'residency'>,
  query: ForecastQuery,
  asOf: number,
) => {
  const { tenant, residency } = caller;
  const calendar = calendarOf(tenant);
  const { period: unit = 'month', group_by: groupBy = [] } = query;
  const whole = { from: calendar.startOf(unit, asOf), to: calendar.shift(unit, asOf, 1) };
  const range = { from: Math.min(whole.from, lookback(asOf).from), to: whole.to };
  const [{ cohorts, newest }, lag] = await Promise.all([
    readCohorts(stores.rollups, tenant.tenant_id, range, [whole.from]),
    stores.indexLag.totalsLag(tenant.tenant_id),
  ]);
  const selected = selectCohorts(cohorts, query, range, residency);
  const { shown, matching, undetermined } = selected;
  const inPeriod = selectCohorts(cohorts, query, whole, residency);
  const rows = buildRows(matching, groupBy, null, calendar).map((row) => ({
    kind: row.kind,
    ...membersOf(row.values),
    ...sumForecast(row.cohorts, possibleCallsOf(row, selected), whole, asOf),
  }));
  return {
    rows,
    envelope: {
      totals: sumForecast(matching, undetermined, whole, asOf),
      period: inPeriod.period,
      undetermined_invocations: invocationsOf(inPeriod.undetermined),
      warnings: unmatchedNames(shown, query),
      time_zone: calendar.timeZone,
      // The start of the period claims nothing.
      as_of: toIso(completeUntil(newest ?? asOf, lag, asOf) ?? whole.from),
      stale: lag.isStale,
    },
  };
};
