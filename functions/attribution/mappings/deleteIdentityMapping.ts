import { deleteIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
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
