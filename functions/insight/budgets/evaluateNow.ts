import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { BudgetRecord } from '../../../schemas/insight/budgets.ts';
import type { IndexLag } from '../../ledger/freshness/indexLag.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { BudgetWriter, StoredBudget } from './budget.store.ts';
import { budgetEvaluator } from './budgetEvaluator.ts';
import { budgetStatuses, toResponse } from './budgetStatus.ts';

/**
 * Evaluates a budget that was just written against the spend of its current period, and returns its status as the
 * caller may see it. Without this, a tenant without further calls would never be notified, because only changes of
 * rollups trigger the evaluation.
 */
export const evaluateNow = async (
  stores: {
    readonly budgetWriter: BudgetWriter;
    readonly rollups: RollupReader;
    readonly indexLag: Pick<IndexLag, 'totalsLag'>;
    readonly outbox: Outbox;
  },
  caller: Pick<Caller, 'tenant' | 'scopes'>,
  budget: StoredBudget,
  now: number,
): Promise<BudgetRecord | undefined> => {
  const { tenant } = caller;
  const { budgetWriter: budgets, rollups, indexLag, outbox } = stores;
  const evaluate = budgetEvaluator({ budgets, rollups, outbox, clock: () => now });
  await evaluate(tenant, [Math.floor(now / MINUTE_MS)]);
  const [record] = await budgetStatuses({ budgets, rollups, indexLag }, tenant.tenant_id, [budget], now);
  return record && toResponse(caller, record);
};
