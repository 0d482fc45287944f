import type { IdentityMapping } from '../../../schemas/attribution/identityMapping.ts';
import { updateIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { mappingNotFound, patchMapping } from './mappingChanges.ts';

export default operation(updateIdentityMapping, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  let result: IdentityMapping | null = null;

  await updateWithRetry(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: lookup }, isRetry) => {
      if (lookup.current === null) throw mappingNotFound();
      result = isRetry ? lookup.current : patchMapping(lookup.current, body, receivedAt);
      if (isRetry) return null;
      return [
        ...stores.mappingWriter.put(tenant.tenant_id, result, lookup, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: result.id })),
      ];
    },
  );
  return reply(200, result);
});
