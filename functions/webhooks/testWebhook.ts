import { testWebhook } from '../../schemas/routes/webhookDeliveries.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { commit } from '../shared/aws/document.store.ts';
import { claimedUlid } from '../shared/ids.ts';
import { orUnavailable } from '../shared/problem.ts';
import { receiving } from './endpoints/existing.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { sampleEvent } from './streams/samples.ts';

export default operation(testWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  const { tenant } = caller;

  return orUnavailable(async () => {
    const endpoint = receiving(await stores.endpoints.endpoint(tenant.tenant_id, parameters['id'] ?? ''));
    const ulid = claimedUlid('webhook test', claim.claim, receivedAt);
    const event = sampleEvent(body.type, { ulid, at: receivedAt, tenant });
    // Told first, and once however often the call is repeated: nothing is sent that nobody was told of.
    await commit([stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: endpoint.id }))]);
    await stores.publisher.enter(endpoint, [event], { kind: 'test' });
    return reply(202, { endpoint_id: endpoint.id, event_ids: [event.id] });
  });
});
