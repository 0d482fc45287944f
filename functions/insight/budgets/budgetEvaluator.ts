import { DAY_SECONDS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { BudgetEvaluationStore, StoredBudget } from './budget.store.ts';
import { periodsToEvaluate } from './budgetPeriod.ts';
import { findCrossing, readCrossings } from './budgetStatus.ts';
import {
  type Crossing,
  crossedEvent,
  findReachedThresholds,
  isCrossingInEffect,
  periodKey,
  rearmCount,
} from './crossing.ts';
import { forecast } from './forecast.ts';
import { readSpend } from './readSpend.ts';
import { type SpendByDay, spendWithin } from './spend.ts';

/** Crossings are kept for this long after the end of their period, far longer than the period is evaluated. */
const CROSSING_RETENTION_SECONDS = 60 * DAY_SECONDS;

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

/**
 * Compares a tenant's budgets with its spend and records the thresholds that were crossed. Call it after every change of
 * rollups, with the minutes (since the epoch) that were recomputed. It may be repeated after a crash: it decides from
 * stored data, and writes each crossing in one transaction with its event, unless the crossing exists. A tenant without
 * budgets costs one read.
 */
export const budgetEvaluator = ({ budgets, rollups, outbox, clock }: BudgetEvaluatorStores) => {
  /** Of concurrent evaluators one commits. The others fail the condition of the write, and change nothing. */
  const recordCrossings = async (
    tenant: Tenant,
    { budget, period, key }: BudgetInPeriod,
    crossings: readonly Crossing[],
    days: SpendByDay,
    now: number,
  ): Promise<void> => {
    const spend = spendWithin(days, period);
    for (const threshold of findReachedThresholds(budget.ceiling_usd, spend.spent)) {
      const previous = findCrossing(budget, threshold, crossings) ?? null;
      if (previous !== null && isCrossingInEffect(budget.period, previous, now)) continue;
      const crossing = {
        budget_id: budget.id,
        threshold,
        rearm_count: rearmCount(budget.rearm_counts, threshold),
        crossed_at: toIso(now),
      };
      const ttl = Math.ceil(Math.max(period.to, now) / 1_000) + CROSSING_RETENTION_SECONDS;
      const forecastUsd = forecast(days, period, now);
      await commit([
        budgets.recordCrossing(tenant.tenant_id, crossing, { period: key, previous, ttl }),
        outbox.raise(crossedEvent(tenant, budget, crossing, { period, spend, forecast: forecastUsd })),
      ]);
    }
  };

  return async (tenant: Tenant, minutes: readonly number[]): Promise<void> => {
    const all = await budgets.all(tenant.tenant_id);
    if (all.length === 0) return;
    const now = clock();
    const instants = minutes.map((minute) => minute * MINUTE_MS);
    const due = all.flatMap((budget): BudgetInPeriod[] =>
      periodsToEvaluate(budget, instants, now).map((period) => ({
        budget,
        period,
        key: periodKey(budget.period, period),
      })),
    );
    if (due.length === 0) return;
    measure('budgetsEvaluated', due.length);
    const spendOf = await readSpend(
      rollups,
      tenant.tenant_id,
      due.map(({ budget }) => budget),
      due.map(({ period }) => period),
      now,
    );
    const crossings = await readCrossings(
      budgets,
      tenant.tenant_id,
      due.map(({ key }) => key),
    );
    for (const one of due) {
      await recordCrossings(tenant, one, crossings.get(one.key) ?? [], spendOf(one.budget), now);
    }
  };
};
