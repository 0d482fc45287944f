import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { NOT_EVALUATED } from '../../../../schemas/insight/budgets.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { isOutage } from '../../../platform/shared/aws/calls/outage.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { describeError, log } from '../../../platform/shared/log.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { OutOfTime } from '../../../platform/shared/time/outOfTime.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { type BudgetEvaluationStore, crossingTtl, type StoredBudget } from '../budget.store.ts';
import { type BudgetInPeriod, readCrossings } from '../budgetInPeriod.ts';
import { readSpend } from '../spend/readSpend.ts';
import type { SpendByDay } from '../spend/spend.ts';
import type { Crossing } from './crossing.ts';

export interface EvaluationStores {
  readonly budgets: BudgetEvaluationStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
}

/** A new crossing with the event that tells it, or the new version of the `previous` one. */
export type CrossingChange =
  | { readonly crossing: Crossing; readonly event: RaisedEvent }
  | { readonly crossing: Crossing; readonly previous: Crossing };

/** A budget in a period, with the crossings recorded in it. */
export interface WatchedBudget extends BudgetInPeriod {
  readonly crossings: readonly Crossing[];
}

/** What to compare the thresholds of a budget with. */
export interface Comparison {
  readonly thresholdsOf: (budget: StoredBudget) => readonly number[];
  /** The periods whose spend it compares, and reads. */
  readonly periodsOf: (watched: WatchedBudget) => readonly Interval[];
  /** Decides on a threshold. Null: nothing changed. `days` hold the spend in {@link periodsOf}. */
  readonly compare: (
    watched: WatchedBudget,
    days: SpendByDay,
  ) => (threshold: number) => CrossingChange | null | Promise<CrossingChange | null>;
}

/**
 * Compares budgets with their thresholds, and records what changed: each change in one transaction with its event. It may be
 * repeated after a crash, because it decides from stored data, and a crossing is written once. Of concurrent evaluators one
 * commits. The others fail the condition of the write, and change nothing. So when the time is over, what it wrote is done,
 * and it throws OutOfTime.
 *
 * A budget for which this fails for another reason than an outage fails again each time. It is logged and left out: it must stop
 * neither other budgets nor the totals that the caller computes.
 */
export const evaluateThresholds = async (
  { budgets, rollups, outbox }: EvaluationStores,
  { tenant_id: tenantId }: Tenant,
  due: readonly BudgetInPeriod[],
  { thresholdsOf, periodsOf, compare }: Comparison,
  { now, hasTime }: { readonly now: number; readonly hasTime: () => boolean },
): Promise<void> => {
  if (due.length === 0) return;
  const crossingsOf = await readCrossings(budgets, tenantId, due);
  const watched = due.map((one) => ({ ...one, crossings: crossingsOf(one) }));
  const { spendOf } = await readSpend(
    rollups,
    tenantId,
    due.map(({ budget }) => budget),
    watched.flatMap(periodsOf),
  );
  const evaluate = async (one: WatchedBudget): Promise<void> => {
    const decide = compare(one, spendOf(one.budget));
    for (const threshold of thresholdsOf(one.budget)) {
      const change = await decide(threshold);
      if (change === null) continue;
      const previous = 'previous' in change ? change.previous : null;
      const row = { period: one.key, previous, ttl: crossingTtl(one.period, now) };
      await commit([
        budgets.recordCrossing(tenantId, change.crossing, row),
        ...('event' in change ? [outbox.raise(change.event)] : []),
      ]);
      if (!hasTime()) throw new OutOfTime();
    }
  };
  for (const one of watched) {
    try {
      await evaluate(one);
    } catch (error) {
      if (error instanceof OutOfTime || isOutage(error)) throw error;
      log({ level: 'error', message: NOT_EVALUATED, tenant_id: tenantId, ...describeError(error) });
    }
  }
};
