import { getWebhook } from '../../schemas/routes/webhooks.ts';
import { operation } from '../http/operation.ts';
import { orUnavailable } from '../http/problem.ts';
import { reply } from '../http/reply.ts';
import { existing } from './existing.ts';
import { requireAllLanes } from './lane.ts';
import { webhookRecord } from './record.ts';

export default operation(getWebhook, ({ parameters, caller, receivedAt, stores }) => {
  requireAllLanes(caller);
  return orUnavailable(async () => {
    const { tenant_id: tenantId } = caller.tenant;
    const endpoint = existing(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
    return reply(200, webhookRecord(endpoint, receivedAt));
  });
});
