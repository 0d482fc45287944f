import { listWebhooks } from '../../schemas/routes/webhooks.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { requireNoLane } from '../tenancy/residency.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(listWebhooks, ({ query, caller, receivedAt, stores }) => {
  requireNoLane(caller, 'Webhooks');
  return respondWithPage({
    route: listWebhooks,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      // A tenant has at most 20 endpoints, so one read returns all of them.
      const all = (await stores.endpoints.endpointsOf(caller.tenant.tenant_id)).reverse();
      const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
      const { items, resume } = toPage(remaining, limit, ({ id }) => ulidInId(id));
      return { items: items.map((endpoint) => toWebhookRecord(endpoint, receivedAt)), resume };
    },
  });
});
