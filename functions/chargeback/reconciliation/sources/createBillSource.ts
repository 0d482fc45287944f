import { BILL_SOURCES_MAXIMUM } from '../../../../schemas/billSources.ts';
import { createBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { isSameAccount, newBillSource, type StoredBillSource } from './billSource.ts';
import { toBillSource } from './toBillSource.ts';

const limitReached = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `Bill source limit reached (${BILL_SOURCES_MAXIMUM} per tenant). Delete a source first.`,
    { errors: [{ pointer: '', detail: `a tenant can have at most ${BILL_SOURCES_MAXIMUM} bill sources` }] },
  );

const accountInUse = () =>
  new ProblemError(
    'CONFLICT',
    'There is a bill source with this provider and account. Change it, or give the account of the new source another name.',
  );

const hasNoBills = () =>
  new ProblemError('CONFLICT', 'This tenant is a sandbox. Its calls are synthetic and have no bills.');

export default operation(createBillSource, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  if (tenant.sandbox === true) throw hasNoBills();
  const ulid = deterministicUlid('bill source', claim.claim, receivedAt);
  const id = idOf('bls', tenant.tag, ulid);

  const sealed = body.credential === undefined ? '' : await stores.sealCredential(body.credential, id);
  let created: StoredBillSource = newBillSource(body, { id, sealed, at: receivedAt });
  await updateWithRetry(
    claim,
    () => stores.billSourceWriter.find(tenant.tenant_id, ulid),
    ({ document: lookup }) => {
      // Only an earlier attempt of this call can have created it, even if it was changed or deleted since.
      const before = lookup.current ?? lookup.deleted;
      if (before !== null) {
        created = before;
        return null;
      }
      const { accounts } = lookup.head;
      if (accounts.length >= BILL_SOURCES_MAXIMUM) throw limitReached();
      if (accounts.some((account) => isSameAccount(account, created))) throw accountInUse();
      return [
        ...stores.billSourceWriter.create(tenant.tenant_id, created, lookup, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  return reply(201, toBillSource(created, receivedAt, stores.importRoleArn), {
    location: `/api/v1/bill-sources/${id}`,
  });
});
