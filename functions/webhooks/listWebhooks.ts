import { listWebhooks } from '../../schemas/routes/webhooks.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { requireUnboundCredential } from './endpoints/residency.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(listWebhooks, ({ query, caller, receivedAt, stores }) => {
  requireUnboundCredential(caller);
  return respondWithPage({
    route: listWebhooks,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      // There are few enough to read them all.
      const all = (await stores.endpoints.endpointsOf(caller.tenant.tenant_id)).reverse();
      const left = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
      const { items, resume } = toPage(left, limit, ({ id }) => ulidInId(id));
      return { items: items.map((endpoint) => toWebhookRecord(endpoint, receivedAt)), resume };
    },
  });
});
