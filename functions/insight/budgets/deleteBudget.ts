import { deleteBudget } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { budgetResource } from './budgetResource.ts';

export default operation(deleteBudget, async (call) => {
  await budgetResource(call.stores.budgetWriter).remove(call);
  return reply(204, undefined);
});
