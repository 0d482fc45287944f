import { deleteBudget } from '../../schemas/routes/budgets.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import { seenBy } from './edit.ts';

export default operation(deleteBudget, async (call) => {
  const { parameters, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;

  await orUnavailable(() =>
    change(
      claim,
      () => stores.budgetWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
      ({ document: found }, isRetry) => {
        if (found.budget === null && isRetry) return null;
        const budget = seenBy(caller, found.budget);
        return [
          ...stores.budgetWriter.remove(tenant.tenant_id, budget, found, { by: claim, now: receivedAt }),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: budget.id })),
        ];
      },
    ),
  );
  return reply(204, undefined);
});
