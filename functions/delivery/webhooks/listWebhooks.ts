import { listWebhooks } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(listWebhooks, (call) => {
  const { caller, receivedAt, stores } = call;
  return respondWithPage(listWebhooks, call, async ({ after }, limit) => {
    // A tenant has at most 20 endpoints, so one read returns all of them.
    const all = (await stores.endpoints.endpointsOf(caller.tenant.tenant_id)).reverse();
    const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
    const { items, resume } = toPage(remaining, limit, ({ id }) => ulidInId(id));
    return { items: items.map((endpoint) => toWebhookRecord(endpoint, receivedAt)), resume };
  });
});
