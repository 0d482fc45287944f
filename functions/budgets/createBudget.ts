import { BUDGETS_MAXIMUM } from '../../schemas/budgets.ts';
import { createBudget } from '../../schemas/routes/budgets.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { deterministicUlid, idOf } from '../shared/ids.ts';
import { updateWithRetry } from '../shared/optimisticUpdate.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import type { StoredBudget } from './budget.store.ts';
import { newBudget } from './budgetChanges.ts';
import { evaluateNow } from './evaluateNow.ts';

const tooMany = () =>
  new ProblemError('VALIDATION_FAILED', 'The tenant has as many budgets as it may.', {
    errors: [{ pointer: '', detail: `a tenant has at most ${BUDGETS_MAXIMUM} budgets` }],
  });

export default operation(createBudget, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, principal, residency } = caller;
  const ulid = deterministicUlid('budget', claim.claim, receivedAt);
  const id = idOf('bud', tenant.tag, ulid);
  let made: StoredBudget = newBudget(body, { id, residency, at: receivedAt, by: principal });

  return orUnavailable(async () => {
    // The budget's place follows from the call, but the tenant's others are counted with it: so a change, not a making.
    await updateWithRetry(
      claim,
      () => stores.budgetWriter.find(tenant.tenant_id, ulid),
      ({ document: found }) => {
        // Only an earlier attempt of this call can have made it, whatever became of it since.
        const before = found.budget ?? found.deleted;
        if (before !== null) {
          made = before;
          return null;
        }
        if (found.count >= BUDGETS_MAXIMUM) throw tooMany();
        return [
          ...stores.budgetWriter.create(tenant.tenant_id, made, found, claim),
          stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
        ];
      },
    );
    const record = await evaluateNow(stores, tenant, made, receivedAt);
    return reply(201, record, { location: `/api/v1/budgets/${id}` });
  });
});
