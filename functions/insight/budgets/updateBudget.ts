import { updateBudget } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { answerWritten } from './answerWritten.ts';
import { patchBudget, requireChangeable } from './budgetChanges.ts';
import { budgetResource } from './budgetResource.ts';

export default operation(updateBudget, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { document } = await budgetResource(stores.budgetWriter).update(call, (budget) => {
    requireChangeable(caller, budget, body);
    return patchBudget(budget, body, receivedAt);
  });
  return reply(200, await answerWritten(stores, caller, document, receivedAt));
});
