import { BUDGETS_MAXIMUM } from '../../../schemas/budgets.ts';
import { createBudget } from '../../../schemas/routes/insight/budgets.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { StoredBudget } from './budget.store.ts';
import { basisFor, newBudget } from './budgetChanges.ts';
import { evaluateNow } from './evaluateNow.ts';
import { watchTags } from './watchedTags.ts';

const limitReached = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `Budget limit reached (${BUDGETS_MAXIMUM} per tenant). Delete a budget first.`,
    { errors: [{ pointer: '', detail: `a tenant can have at most ${BUDGETS_MAXIMUM} budgets` }] },
  );

export default operation(createBudget, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant, principal, residency } = caller;
  const ulid = deterministicUlid('budget', claim.claim, receivedAt);
  const id = idOf('bud', tenant.tag, ulid);
  let created: StoredBudget = newBudget(body, {
    id,
    residency,
    basis: basisFor(caller, body.scope),
    at: receivedAt,
    by: principal,
  });

  // The id is derived from the call, but the number of budgets changes too, so this is an optimistic update.
  await updateWithRetry(
    claim,
    () => stores.budgetWriter.find(tenant.tenant_id, ulid),
    ({ document: lookup }) => {
      // Only an earlier attempt of this call can have created it, even if it was changed or deleted since.
      const before = lookup.current ?? lookup.deleted;
      if (before !== null) {
        created = before;
        return null;
      }
      if (lookup.head.count >= BUDGETS_MAXIMUM) throw limitReached();
      return [
        ...stores.budgetWriter.create(tenant.tenant_id, created, lookup, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  await watchTags(stores, tenant, created, receivedAt);
  const record = await evaluateNow(stores, caller, created, receivedAt);
  return reply(201, record, { location: `/api/v1/budgets/${id}` });
});
