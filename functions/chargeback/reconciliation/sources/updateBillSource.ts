import { updateBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { idOf } from '../../../platform/shared/ids.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { checkPatch, patchBillSource, requireBillSource, type StoredBillSource } from './billSource.ts';
import { toBillSource } from './toBillSource.ts';

export default operation(updateBillSource, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const ulid = parameters['id'] ?? '';
  const id = idOf('bls', tenant.tag, ulid);
  let result: StoredBillSource | undefined;

  const sealed = body.credential === undefined ? null : await stores.sealCredential(body.credential, id);
  await updateWithRetry(
    claim,
    () => stores.billSourceWriter.find(tenant.tenant_id, ulid),
    ({ document: lookup }, isRetry) => {
      const source = requireBillSource(lookup.current);
      checkPatch(source, body);
      result = isRetry ? source : patchBillSource(source, body, { sealed, at: receivedAt });
      if (isRetry) return null;
      return [
        stores.billSourceWriter.replace(tenant.tenant_id, result, lookup, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id })),
      ];
    },
  );
  return reply(200, result && toBillSource(result, receivedAt, stores.importRoleArn));
});
