import { BUDGETS_MAXIMUM } from '../../schemas/budgets.ts';
import { listBudgets } from '../../schemas/routes/budgets.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { isInLane } from '../tenancy/residency.ts';
import { budgetStatuses } from './budgetStatus.ts';

export default operation(listBudgets, ({ query, caller, receivedAt, stores }) =>
  respondWithPage({
    route: listBudgets,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      const { tenant_id: tenantId } = caller.tenant;
      // There are few enough to read all that are left, so a page is full whatever the lane.
      const range = { after, descending: true, limit: BUDGETS_MAXIMUM };
      const left = await stores.budgets.budgets(tenantId, range);
      const seen = left.filter((budget) => isInLane(budget, caller.residency));
      const { items, resume } = toPage(seen, limit, ({ id }) => ulidInId(id));
      return { items: await budgetStatuses(stores, tenantId, items, receivedAt), resume };
    },
  }),
);
