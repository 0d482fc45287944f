import type { Likelihood } from '../../../../schemas/insight/budgets.ts';
import { calendarOf, type Tenant } from '../../../platform/tenancy/tenant.ts';
import { lookback } from '../../trends/periodForecast.ts';
import { budgetNow } from '../budgetInPeriod.ts';
import { forecast } from '../spend/forecast.ts';
import { spendWithin } from '../spend/spend.ts';
import {
  isCrossingInEffect,
  isUnderOtherTerms,
  likelihoodOf,
  newCrossing,
  newestCrossing,
} from './crossing.ts';
import { forecastCrossedEvent } from './crossingEvents.ts';
import { type Comparison, type EvaluationStores, evaluateThresholds } from './evaluateThresholds.ts';

/**
 * A forecast moves with every day, so each threshold alerts once for each period and likelihood, and again only after a
 * change of ceiling, period or scope. What is likely is not told as possible afterwards.
 */
const forecastComparison = (tenant: Tenant, now: number): Comparison => ({
  thresholdsOf: ({ forecast_thresholds }) => forecast_thresholds,
  periodsOf: ({ period }) => [period, lookback(now)],
  compare: ({ budget, period, crossings }, days) => {
    const figures = { period, spend: spendWithin(days, period), forecast: forecast(days, period, now) };
    const range = figures.forecast.forecast_range_usd;
    return (threshold) => {
      const likelihood = range === null ? null : likelihoodOf(budget, range, figures.spend.spent, threshold);
      if (likelihood === null) return null;
      const newestOf = (one: Likelihood) => newestCrossing(budget.id, threshold, crossings, one);
      const newest = newestOf(likelihood);
      const isTold = [newest, newestOf('likely')].some(
        (crossing) =>
          crossing !== undefined &&
          isCrossingInEffect(budget.period, crossing, now) &&
          !isUnderOtherTerms(budget, crossing),
      );
      if (isTold) return null;
      const crossing = newCrossing({ budget_id: budget.id, threshold, likelihood }, newest, now);
      return { crossing, event: forecastCrossedEvent(tenant, budget, crossing, figures) };
    };
  },
});

/** Compares the forecasts of a tenant's budgets with their forecast thresholds. */
export const forecastEvaluator =
  ({ hasTime, ...stores }: EvaluationStores & { readonly hasTime: () => boolean }) =>
  async (tenant: Tenant, now: number): Promise<void> => {
    const all = await stores.budgets.all(tenant.tenant_id);
    const due = all
      .filter(({ forecast_thresholds }) => forecast_thresholds.length > 0)
      .map((budget) => budgetNow(budget, now, calendarOf(tenant)));
    await evaluateThresholds(stores, tenant, due, forecastComparison(tenant, now), { now, hasTime });
  };
