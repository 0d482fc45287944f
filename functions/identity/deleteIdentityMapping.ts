import { deleteIdentityMapping } from '../../schemas/routes/attribution/identity.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { updateWithRetry } from '../shared/retry/optimisticUpdate.ts';
import { mappingNotFound } from './mappingChanges.ts';

export default operation(deleteIdentityMapping, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;

  await updateWithRetry(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: lookup }, isRetry) => {
      const { current: mapping } = lookup;
      if (mapping === null) {
        if (isRetry) return null;
        throw mappingNotFound();
      }
      return [
        ...stores.mappingWriter.remove(tenant.tenant_id, mapping, lookup, claim, receivedAt),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: mapping.id })),
      ];
    },
  );
  return reply(204, undefined);
});
