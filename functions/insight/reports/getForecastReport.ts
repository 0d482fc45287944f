import type { ForecastTotals } from '../../../schemas/insight/forecast.ts';
import { getForecastReport } from '../../../schemas/routes/insight/reports.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { completeUntil } from '../../ledger/freshness/totalsLag.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { forecastPeriod, lookback } from '../trends/periodForecast.ts';
import { selectCohorts } from './report.ts';
import { buildRows, membersOf } from './reportRows.ts';
import { unmatchedNames } from './unmatchedNames.ts';

const withoutPersons = (cohorts: readonly Cohort[]) =>
  figuresOf(cohorts, (figures) => ({ ...figures, persons: [] }));

/** The sums of a forecast over cohorts of its period and of the days before it. */
const sumForecast = (cohorts: readonly Cohort[], period: Interval, now: number): ForecastTotals => {
  const ofPeriod = cohorts.filter(({ at }) => period.from <= at && at < period.to);
  const { invocations, cost_usd: cost } = withoutPersons(ofPeriod);
  if (invocations > 0 && cost.unknown === invocations) {
    return {
      spent_usd: null,
      forecast_usd: null,
      forecast_range_usd: null,
      unpriced_invocations: invocations,
    };
  }
  const costs = cohorts.map((one) => [one.at, withoutPersons([one]).cost_usd.central] as const);
  const all = withoutPersons(cohorts);
  // Costs that are unknown on every day before would read as a forecast of nothing.
  const isPriced = all.invocations > all.cost_usd.unknown;
  const expected = isPriced ? forecastPeriod(costs, period, now) : null;
  return {
    spent_usd: cost.central,
    forecast_usd: expected?.central ?? null,
    forecast_range_usd: expected && { low: expected.low, high: expected.high },
    unpriced_invocations: cost.unknown,
  };
};

/** Responds with a page of the forecast of the current month or quarter. Throws the errors of paging. */
export default operation(getForecastReport, (call) =>
  respondWithResult(getForecastReport, call, async (asOf) => {
    const { query, caller, stores } = call;
    const { tenant, residency } = caller;
    const calendar = calendarOf(tenant);
    const { period: unit = 'month', group_by: groupBy = [] } = query;
    const whole = { from: calendar.startOf(unit, asOf), to: calendar.shift(unit, asOf, 1) };
    const range = { from: Math.min(whole.from, lookback(asOf).from), to: whole.to };
    const [{ cohorts, newest }, lag] = await Promise.all([
      readCohorts(stores.rollups, tenant.tenant_id, range, [whole.from]),
      stores.indexLag.totalsLag(tenant.tenant_id),
    ]);
    const { shown, matching } = selectCohorts(cohorts, query, range, residency);
    const inPeriod = selectCohorts(cohorts, query, whole, residency);
    const rows = buildRows(matching, groupBy, null, calendar).map((row) => ({
      kind: row.kind,
      ...membersOf(row.values),
      ...sumForecast(row.cohorts, whole, asOf),
    }));
    return {
      rows,
      envelope: {
        totals: sumForecast(matching, whole, asOf),
        period: inPeriod.period,
        undetermined_invocations: inPeriod.undetermined_invocations,
        warnings: unmatchedNames(shown, query),
        time_zone: calendar.timeZone,
        // The start of the period claims nothing.
        as_of: toIso(completeUntil(newest ?? asOf, lag) ?? whole.from),
        stale: lag.isStale,
      },
    };
  }),
);
