import { deleteBudget } from '../../../schemas/routes/insight/budgets.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { requireVisible } from './budgetChanges.ts';

export default operation(deleteBudget, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;

  await updateWithRetry(
    claim,
    () => stores.budgetWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: lookup }, isRetry) => {
      if (lookup.current === null && isRetry) return null;
      const budget = requireVisible(caller, lookup.current);
      return [
        ...stores.budgetWriter.remove(tenant.tenant_id, budget, lookup, { by: claim, now: receivedAt }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: budget.id })),
      ];
    },
  );
  return reply(204, undefined);
});
