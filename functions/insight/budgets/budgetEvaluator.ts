import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { OutOfTime } from '../../platform/shared/time/outOfTime.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { lookback } from '../trends/periodForecast.ts';
import { type BudgetEvaluationStore, crossingTtl, type StoredBudget } from './budget.store.ts';
import { periodOf, periodsToEvaluate } from './budgetPeriod.ts';
import { readCrossings } from './budgetStatus.ts';
import {
  type Crossing,
  findReachedThresholds,
  isCrossingInEffect,
  isRearmed,
  newestCrossing,
  periodKey,
} from './crossing.ts';
import { crossedEvent } from './crossingEvents.ts';
import { forecast } from './forecast.ts';
import { readSpend } from './readSpend.ts';
import { type SpendByDay, spendWithin } from './spend.ts';

export interface BudgetEvaluatorStores {
  readonly budgets: BudgetEvaluationStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

interface BudgetInPeriod {
  readonly budget: StoredBudget;
  readonly period: Interval;
  readonly key: string;
}

/** The period in which a crossing was found. There is one rolling period at a time, so an earlier one ended with its day. */
const periodOfCrossing = (
  { period: kind }: Pick<StoredBudget, 'period'>,
  period: Interval,
  { crossed_at }: Crossing,
  calendar: Calendar,
): Interval => (kind === 'rolling_30d' ? periodOf(kind, Date.parse(crossed_at), calendar) : period);

/**
 * Compares a tenant's budgets with its spend, records the thresholds that were crossed, and rearms those whose spend was
 * corrected. Call it after every change of rollups, with the minutes (since the epoch) that were recomputed. It may be repeated after a crash: it decides from
 * stored data, and writes each crossing in one transaction with its event, unless the crossing exists. So when the time is
 * over, what it wrote is done, and it throws OutOfTime. A tenant without budgets costs one read.
 */
export const budgetEvaluator = ({ budgets, rollups, outbox, clock }: BudgetEvaluatorStores) => {
  /**
   * Resolves to whether it wrote something. Of concurrent evaluators one commits. The others fail the condition of the write,
   * and change nothing.
   */
  const evaluateThreshold = async (
    tenant: Tenant,
    { budget, period, key }: BudgetInPeriod,
    threshold: number,
    {
      crossings,
      days,
      now,
    }: { readonly crossings: readonly Crossing[]; readonly days: SpendByDay; readonly now: number },
  ): Promise<boolean> => {
    const spend = spendWithin(days, period);
    const ttl = crossingTtl(period, now);
    const newest = newestCrossing(budget.id, threshold, crossings);
    if (newest !== undefined && isCrossingInEffect(budget.period, newest, now)) {
      const inCrossing = periodOfCrossing(budget, period, newest, calendarOf(tenant));
      const ofCrossing = spendWithin(days, inCrossing).spent;
      if (!isRearmed(budget, newest, { now: spend.spent, ofCrossing })) return false;
      const rearmed = { ...newest, rearmed_at: toIso(now) };
      await commit([
        budgets.recordCrossing(tenant.tenant_id, rearmed, { period: key, previous: newest, ttl }),
      ]);
      return true;
    }
    if (!findReachedThresholds(budget, spend.spent).includes(threshold)) return false;
    const crossing = {
      budget_id: budget.id,
      threshold,
      rearm_count: newest === undefined ? 0 : newest.rearm_count + 1,
      crossed_at: toIso(now),
    };
    // Only a crossing needs the days that a forecast uses.
    const { spendOf } = await readSpend(rollups, tenant.tenant_id, [budget], [period, lookback(now)]);
    const expected = forecast(spendOf(budget), period, now);
    await commit([
      budgets.recordCrossing(tenant.tenant_id, crossing, { period: key, previous: null, ttl }),
      outbox.raise(crossedEvent(tenant, budget, crossing, { period, spend, forecast: expected })),
    ]);
    return true;
  };

  return async (
    tenant: Tenant,
    minutes: readonly number[],
    hasTime: () => boolean = () => true,
  ): Promise<void> => {
    const all = await budgets.all(tenant.tenant_id);
    if (all.length === 0) return;
    const now = clock();
    const calendar = calendarOf(tenant);
    const instants = minutes.map((minute) => minute * MINUTE_MS);
    const due = all.flatMap((budget): BudgetInPeriod[] =>
      periodsToEvaluate(budget, instants, now, calendar).map((period) => ({
        budget,
        period,
        key: periodKey(budget.period, period, calendar),
      })),
    );
    if (due.length === 0) return;
    measure('budgetsEvaluated', due.length);
    const crossings = await readCrossings(
      budgets,
      tenant.tenant_id,
      due.map(({ key }) => key),
    );
    const { spendOf } = await readSpend(
      rollups,
      tenant.tenant_id,
      due.map(({ budget }) => budget),
      due.flatMap((one) => [
        one.period,
        ...(crossings.get(one.key) ?? [])
          .filter(
            (crossing) =>
              crossing.budget_id === one.budget.id && isCrossingInEffect(one.budget.period, crossing, now),
          )
          .map((crossing) => periodOfCrossing(one.budget, one.period, crossing, calendar)),
      ]),
    );
    for (const one of due) {
      const days = spendOf(one.budget);
      const context = { crossings: crossings.get(one.key) ?? [], days, now };
      for (const threshold of one.budget.thresholds) {
        const isWritten = await evaluateThreshold(tenant, one, threshold, context);
        if (isWritten && !hasTime()) throw new OutOfTime();
      }
    }
  };
};
