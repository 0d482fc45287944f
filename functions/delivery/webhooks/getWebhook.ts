import { getWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { requireEndpoint } from './endpoints/requireEndpoint.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(getWebhook, async ({ parameters, caller, receivedAt, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const endpoint = requireEndpoint(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
  return reply(200, toWebhookRecord(endpoint, receivedAt));
});
