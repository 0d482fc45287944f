import { testWebhook } from '../../../schemas/routes/delivery/webhookDeliveries.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { requireVerifiedEndpoint } from './endpoints/requireEndpoint.ts';
import { sampleEvent } from './streams/sampleEvents.ts';

export default operation(testWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;

  const endpoint = requireVerifiedEndpoint(
    await stores.endpoints.endpoint(tenant.tenant_id, parameters['id'] ?? ''),
  );
  const ulid = deterministicUlid('webhook test', claim.claim, receivedAt);
  const event = sampleEvent(body.type, { ulid, at: receivedAt, tenant });
  // The audit entry is committed before anything is sent. A repeated call writes the same entry again.
  await commit([
    stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
  ]);
  await stores.publisher.publishTo(endpoint, [event], { kind: 'test' });
  return reply(202, { endpoint_id: endpoint.id, event_ids: [event.id] });
});
