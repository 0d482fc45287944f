import { createBudget } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { answerWritten } from './answerWritten.ts';
import { basisFor, newBudget } from './budgetChanges.ts';
import { budgetResource } from './budgetResource.ts';

export default operation(createBudget, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { document: budget } = await budgetResource(stores.budgetWriter).create(call, (id) =>
    newBudget(body, {
      id,
      residency: caller.residency,
      basis: basisFor(caller, body.scope),
      at: receivedAt,
      by: caller.principal,
    }),
  );
  const record = await answerWritten(stores, caller, budget, receivedAt);
  return reply(201, record, { location: `/api/v1/budgets/${budget.id}` });
});
