import { getBudget } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { requireVisible } from './budgetChanges.ts';
import { budgetStatuses, toResponse } from './budgetStatus.ts';

export default operation(getBudget, async ({ parameters, caller, receivedAt, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const budget = requireVisible(caller, await stores.budgets.budget(tenantId, parameters['id'] ?? ''));
  const [record] = await budgetStatuses(stores, caller.tenant, [budget], receivedAt);
  return reply(200, record && toResponse(caller, record));
});
