import type { Likelihood } from '../../../schemas/insight/budgets.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { OutOfTime } from '../../platform/shared/time/outOfTime.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { lookback } from '../trends/periodForecast.ts';
import { type BudgetEvaluationStore, crossingTtl, type StoredBudget } from './budget.store.ts';
import { periodOf } from './budgetPeriod.ts';
import { readCrossings } from './budgetStatus.ts';
import {
  type Crossing,
  isCrossingInEffect,
  isUnderOtherTerms,
  likelihoodOf,
  newestCrossing,
  periodKey,
} from './crossing.ts';
import { type Figures, forecastCrossedEvent } from './crossingEvents.ts';
import { forecast } from './forecast.ts';
import { readSpend } from './readSpend.ts';
import { spendWithin } from './spend.ts';

/** Whether somebody was told of a threshold, with at least this likelihood, under the present terms. */
const isTold = (budget: StoredBudget, crossings: readonly (Crossing | undefined)[], now: number): boolean =>
  crossings.some(
    (crossing) =>
      crossing !== undefined &&
      isCrossingInEffect(budget.period, crossing, now) &&
      !isUnderOtherTerms(budget, crossing),
  );

interface FiguresInPeriod extends Figures {
  readonly now: number;
  /** The {@link periodKey} of the period. */
  readonly key: string;
  readonly crossings: readonly Crossing[];
}

/**
 * Compares the forecasts of a tenant's budgets with their forecast thresholds. A forecast moves with every day, so each
 * threshold alerts once for each period and likelihood, and again only after a change of ceiling, period or scope. What is
 * likely is not told as possible afterwards. May be repeated after a crash, like the {@link budgetEvaluator}. When the time is
 * over, what it wrote is done, and it throws OutOfTime.
 */
export const forecastEvaluator = (stores: {
  readonly budgets: BudgetEvaluationStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
  readonly hasTime: () => boolean;
}) => {
  const { budgets, rollups, outbox, hasTime } = stores;

  /** Resolves to whether it told somebody. */
  const evaluateThreshold = async (
    tenant: Tenant,
    budget: StoredBudget,
    threshold: number,
    at: FiguresInPeriod,
  ): Promise<boolean> => {
    const { now, key, period, spend, forecast: expected, crossings } = at;
    const range = expected.forecast_range_usd;
    const likelihood = range === null ? null : likelihoodOf(budget, range, spend.spent, threshold);
    if (likelihood === null) return false;
    const newestOf = (one: Likelihood) => newestCrossing(budget.id, threshold, crossings, one);
    const newest = newestOf(likelihood);
    if (isTold(budget, [newest, newestOf('likely')], now)) return false;
    const crossing = {
      budget_id: budget.id,
      threshold,
      likelihood,
      rearm_count: newest === undefined ? 0 : newest.rearm_count + 1,
      crossed_at: toIso(now),
    };
    const row = { period: key, previous: null, ttl: crossingTtl(period, now) };
    await commit([
      budgets.recordCrossing(tenant.tenant_id, crossing, row),
      outbox.raise(forecastCrossedEvent(tenant, budget, crossing, { period, spend, forecast: expected })),
    ]);
    return true;
  };

  return async (tenant: Tenant, now: number): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const watched = (await budgets.all(tenantId)).filter((budget) => budget.forecast_thresholds.length > 0);
    if (watched.length === 0) return;
    const calendar = calendarOf(tenant);
    const due = watched.map((budget) => {
      const period = periodOf(budget.period, now, calendar);
      return { budget, period, key: periodKey(budget.period, period, calendar) };
    });
    const keys = due.map(({ key }) => key);
    const periods = [...due.map(({ period }) => period), lookback(now)];
    const [crossings, { spendOf }] = await Promise.all([
      readCrossings(budgets, tenantId, keys),
      readSpend(rollups, tenantId, watched, periods),
    ]);
    for (const { budget, period, key } of due) {
      const days = spendOf(budget);
      const at = {
        now,
        key,
        period,
        spend: spendWithin(days, period),
        forecast: forecast(days, period, now),
        crossings: crossings.get(key) ?? [],
      };
      for (const threshold of budget.forecast_thresholds) {
        const isWritten = await evaluateThreshold(tenant, budget, threshold, at);
        if (isWritten && !hasTime()) throw new OutOfTime();
      }
    }
  };
};
