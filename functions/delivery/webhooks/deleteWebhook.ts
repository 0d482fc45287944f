import { deleteWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { requireEndpoint } from './endpoints/requireEndpoint.ts';

export default operation(deleteWebhook, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;

  await updateWithRetry(
    claim,
    () => stores.endpointWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: lookup }, isRetry) => {
      if (lookup.current === null && isRetry) return null;
      const endpoint = requireEndpoint(lookup.current);
      return [
        ...stores.endpointWriter.remove(tenant.tenant_id, endpoint, lookup, { by: claim, now: receivedAt }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
      ];
    },
  );
  return reply(204, undefined);
});
