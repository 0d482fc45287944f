import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Calendar } from '../../../platform/shared/time/calendar.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { calendarOf, type Tenant } from '../../../platform/tenancy/tenant.ts';
import { lookback } from '../../trends/periodForecast.ts';
import { budgetInPeriod } from '../budgetInPeriod.ts';
import { periodOf, periodsToEvaluate } from '../budgetPeriod.ts';
import { forecast } from '../spend/forecast.ts';
import { readSpend } from '../spend/readSpend.ts';
import { spendWithin } from '../spend/spend.ts';
import {
  type Crossing,
  findReachedThresholds,
  isCrossingInEffect,
  isRearmed,
  newCrossing,
  newestCrossing,
} from './crossing.ts';
import { crossedEvent } from './crossingEvents.ts';
import {
  type Comparison,
  type EvaluationStores,
  evaluateThresholds,
  type WatchedBudget,
} from './evaluateThresholds.ts';

/** The period in which a crossing was found. There is one rolling period at a time, so an earlier one ended with its day. */
const periodOfCrossing = (
  { budget: { period: kind }, period }: WatchedBudget,
  { crossed_at }: Crossing,
  calendar: Calendar,
): Interval => (kind === 'rolling_30d' ? periodOf(kind, Date.parse(crossed_at), calendar) : period);

/**
 * Compares a tenant's budgets with its spend: finds the thresholds that were crossed, and rearms those whose spend was
 * corrected. Call it after every change of rollups, with the minutes (since the epoch) that were recomputed. A tenant without
 * budgets costs one read.
 */
export const budgetEvaluator = ({ clock, ...stores }: EvaluationStores & { readonly clock: Clock }) => {
  const spendComparison = (tenant: Tenant, now: number): Comparison => {
    const calendar = calendarOf(tenant);
    return {
      thresholdsOf: ({ thresholds }) => thresholds,
      periodsOf: (watched) => [
        watched.period,
        ...watched.crossings
          .filter(
            (crossing) =>
              crossing.budget_id === watched.budget.id &&
              isCrossingInEffect(watched.budget.period, crossing, now),
          )
          .map((crossing) => periodOfCrossing(watched, crossing, calendar)),
      ],
      compare: (watched, days) => {
        const { budget, period, crossings } = watched;
        const spend = spendWithin(days, period);
        const reached = findReachedThresholds(budget, spend.spent);
        return async (threshold) => {
          const newest = newestCrossing(budget.id, threshold, crossings);
          if (newest !== undefined && isCrossingInEffect(budget.period, newest, now)) {
            const ofCrossing = spendWithin(days, periodOfCrossing(watched, newest, calendar)).spent;
            return isRearmed(budget, newest, { now: spend.spent, ofCrossing })
              ? { crossing: { ...newest, rearmed_at: toIso(now) }, previous: newest }
              : null;
          }
          if (!reached.includes(threshold)) return null;
          const crossing = newCrossing({ budget_id: budget.id, threshold }, newest, now);
          // Only a crossing needs the days that a forecast uses.
          const { spendOf } = await readSpend(
            stores.rollups,
            tenant.tenant_id,
            [budget],
            [period, lookback(now)],
          );
          const figures = { period, spend, forecast: forecast(spendOf(budget), period, now) };
          return { crossing, event: crossedEvent(tenant, budget, crossing, figures) };
        };
      },
    };
  };

  return async (
    tenant: Tenant,
    minutes: readonly number[],
    hasTime: () => boolean = () => true,
  ): Promise<void> => {
    const all = await stores.budgets.all(tenant.tenant_id);
    if (all.length === 0) return;
    const now = clock();
    const calendar = calendarOf(tenant);
    const instants = minutes.map((minute) => minute * MINUTE_MS);
    const due = all.flatMap((budget) =>
      periodsToEvaluate(budget, instants, now, calendar).map((period) =>
        budgetInPeriod(budget, period, calendar),
      ),
    );
    if (due.length > 0) measure('budgetsEvaluated', due.length);
    await evaluateThresholds(stores, tenant, due, spendComparison(tenant, now), { now, hasTime });
  };
};
