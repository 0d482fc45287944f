import { getWebhook } from '../../schemas/routes/webhooks.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { orUnavailable } from '../shared/problem.ts';
import { existing } from './endpoints/existing.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';

export default operation(getWebhook, ({ parameters, caller, receivedAt, stores }) => {
  requireAllLanes(caller);
  return orUnavailable(async () => {
    const { tenant_id: tenantId } = caller.tenant;
    const endpoint = existing(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
    return reply(200, webhookRecord(endpoint, receivedAt));
  });
});
