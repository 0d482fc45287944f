import { BUDGETS_MAXIMUM } from '../../../schemas/insight/budgets.ts';
import { listBudgets } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { budgetStatuses, toResponse } from './budgetStatus.ts';

export default operation(listBudgets, (call) => {
  const { caller, receivedAt, stores } = call;
  return respondWithPage(listBudgets, call, async ({ after }, limit) => {
    const { tenant_id: tenantId } = caller.tenant;
    // A tenant has few budgets. Reading all the remaining ones fills the page even after the lane filter.
    const range = { after, descending: true, limit: BUDGETS_MAXIMUM };
    const remaining = await stores.budgets.budgets(tenantId, range);
    const visible = remaining.filter((budget) => isInLane(budget.residency, caller.residency));
    const { items, resume } = toPage(visible, limit, ({ id }) => ulidInId(id));
    const records = await budgetStatuses(stores, caller.tenant, items, receivedAt);
    return { items: records.map((record) => toResponse(caller, record)), resume };
  });
});
