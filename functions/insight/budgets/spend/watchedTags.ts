import type { Budget } from '../../../../schemas/insight/budgets.ts';
import type { RequestTotalsCheck } from '../../../ledger/rollups/checks/requestCheck.ts';
import { calendarOf, type Tenant } from '../../../platform/tenancy/tenant.ts';
import { lookbackFrom } from '../../trends/forecast.ts';
import type { BudgetEvaluationStore } from '../budget.store.ts';
import { periodOf } from '../budgetPeriod.ts';

/**
 * Returns a reader of the tags that a tenant's budgets name. Rollups keep the sums of these tags apart, and of no others:
 * tags are free text, so all of them would be too many groups.
 */
export const watchedTagReader =
  (budgets: Pick<BudgetEvaluationStore, 'all'>) =>
  async (tenantId: string): Promise<ReadonlySet<string>> =>
    new Set((await budgets.all(tenantId)).flatMap(({ scope }) => scope.tags ?? []));

/**
 * Requests that the rollups which a budget with tags depends on are summed again. Call it after the budget is written. Until
 * then its spend lacks the calls that were summed before. The daily comparison with the ledger does the same, so a lost
 * request delays it only. `now` is epoch milliseconds.
 */
export const watchTags = async (
  { requestTotalsCheck }: { readonly requestTotalsCheck: RequestTotalsCheck },
  tenant: Pick<Tenant, 'tenant_id' | 'time_zone'>,
  { scope, period }: Pick<Budget, 'scope' | 'period'>,
  now: number,
): Promise<void> => {
  if (scope.tags === undefined) return;
  await requestTotalsCheck(tenant.tenant_id, {
    from: Math.min(lookbackFrom(now), periodOf(period, now, calendarOf(tenant)).from),
    to: now,
  });
};
