import type { BudgetRecord } from '../../../schemas/insight/budgets.ts';
import type { RequestTotalsCheck } from '../../ledger/rollups/checks/requestCheck.ts';
import type { RequestEvaluation } from '../../ledger/rollups/marks/requestEvaluation.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import type { StoredBudget } from './budget.store.ts';
import { toResponse, unevaluated } from './budgetStatus.ts';
import { watchTags } from './spend/watchedTags.ts';

/**
 * Has a budget evaluated that was just written, and returns it as the caller may see it. Without this, a tenant without
 * further calls would never be notified, because only changes of rollups trigger the evaluation. `now` is epoch milliseconds.
 */
export const answerWritten = async (
  stores: { readonly requestTotalsCheck: RequestTotalsCheck; readonly requestEvaluation: RequestEvaluation },
  caller: Pick<Caller, 'tenant' | 'scopes'>,
  budget: StoredBudget,
  now: number,
): Promise<BudgetRecord> => {
  await watchTags(stores, caller.tenant, budget, now);
  await stores.requestEvaluation(caller.tenant.tenant_id, now);
  return toResponse(caller, unevaluated(budget, now, calendarOf(caller.tenant)));
};
