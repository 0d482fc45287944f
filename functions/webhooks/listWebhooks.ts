import { listWebhooks } from '../../schemas/routes/webhooks.ts';
import { operation } from '../http/operation.ts';
import { page, stretchOf } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';

export default operation(listWebhooks, ({ query, caller, receivedAt, stores }) => {
  requireAllLanes(caller);
  return page({
    route: listWebhooks,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after }, limit) => {
      // There are few enough to read them all.
      const all = (await stores.endpoints.endpointsOf(caller.tenant.tenant_id)).reverse();
      const left = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
      const { items, resume } = stretchOf(left, limit, ({ id }) => ulidInId(id));
      return { items: items.map((endpoint) => webhookRecord(endpoint, receivedAt)), resume };
    },
  });
});
