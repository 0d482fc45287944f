import type { Outbox } from '../events/outbox.store.ts';
import { LENGTH } from '../rollups/period.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import { commit } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { BudgetWatchStore, StoredBudget } from './budget.store.ts';
import { armOf, type Crossing, crossedEvent, periodKey, reached, stands } from './crossing.ts';
import { forecast } from './forecast.ts';
import { type Period, watchedPeriods } from './period.ts';
import { spendByDay, spendWithin } from './spend.ts';
import { crossingOf, crossingsOf, rollupsOf } from './standing.ts';

/** Crossings outlive the period they belong to by far longer than it is watched. */
const REMEMBERED_SECONDS = 60 * 24 * 60 * 60;

export interface WatchStores {
  readonly budgets: BudgetWatchStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

interface Due {
  readonly budget: StoredBudget;
  readonly period: Period;
  readonly key: string;
}

/**
 * Holds a tenant's budgets against what is spent. Call it behind every change of rollups, with the minutes (since the
 * epoch) that were summed anew, and call it again after a crash: what is due is decided from what is stored, and each
 * crossing is written together with its event, where it is not yet written. One read where there is no budget.
 */
export const budgetWatch = ({ budgets, rollups, outbox, clock }: WatchStores) => {
  /** Whoever comes second, of evaluators at the same moment, finds the row and leaves it alone. */
  const tell = async (
    tenant: Tenant,
    { budget, period, key }: Due,
    told: readonly Crossing[],
    days: ReturnType<typeof spendByDay>,
    now: number,
  ): Promise<void> => {
    const spend = spendWithin(days, period);
    for (const threshold of reached(budget.ceiling_usd, spend.spent)) {
      const previous = crossingOf(budget, threshold, told) ?? null;
      if (previous !== null && stands(budget.period, previous, now)) continue;
      const crossing = {
        budget_id: budget.id,
        threshold,
        arm: armOf(budget.arms, threshold),
        crossed_at: new Date(now).toISOString(),
      };
      const ttl = Math.ceil(Math.max(period.to, now) / 1_000) + REMEMBERED_SECONDS;
      const foretold = forecast(days, period, now);
      await commit([
        budgets.cross(tenant.tenant_id, crossing, { period: key, previous, ttl }),
        outbox.raise(crossedEvent(tenant, budget, crossing, { period, spend, forecast: foretold })),
      ]);
    }
  };

  return async (tenant: Tenant, minutes: readonly number[]): Promise<void> => {
    const all = await budgets.all(tenant.tenant_id);
    if (all.length === 0) return;
    const now = clock();
    const instants = minutes.map((minute) => minute * LENGTH.minute);
    const due = all.flatMap((budget): Due[] =>
      watchedPeriods(budget, instants, now).map((period) => ({
        budget,
        period,
        key: periodKey(budget.period, period),
      })),
    );
    if (due.length === 0) return;
    const sums = await rollupsOf(
      rollups,
      tenant.tenant_id,
      due.map(({ period }) => period),
      now,
    );
    const told = await crossingsOf(
      budgets,
      tenant.tenant_id,
      due.map(({ key }) => key),
    );
    for (const one of due) {
      await tell(tenant, one, told.get(one.key) ?? [], spendByDay(one.budget, sums), now);
    }
  };
};
