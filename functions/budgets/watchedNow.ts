import type { BudgetRecord } from '../../schemas/budgets.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { LENGTH } from '../rollups/period.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { BudgetWriter, StoredBudget } from './budget.store.ts';
import { budgetWatch } from './evaluate.ts';
import { standingsOf } from './standing.ts';

/**
 * Holds a budget that was just written against what its current period has cost already, and gives where it stands:
 * in a tenant that spends nothing more nobody else would.
 */
export const watchedNow = async (
  stores: { readonly budgetWriter: BudgetWriter; readonly rollups: RollupReader; readonly outbox: Outbox },
  tenant: Tenant,
  budget: StoredBudget,
  now: number,
): Promise<BudgetRecord | undefined> => {
  const { budgetWriter: budgets, rollups, outbox } = stores;
  const watch = budgetWatch({ budgets, rollups, outbox, clock: () => now });
  await watch(tenant, [Math.floor(now / LENGTH.minute)]);
  const [record] = await standingsOf({ budgets, rollups }, tenant.tenant_id, [budget], now);
  return record;
};
