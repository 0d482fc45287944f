import { listWebhookDeliveries } from '../../schemas/routes/webhookDeliveries.ts';
import { operation } from '../http/operation.ts';
import { page } from '../http/paging.ts';
import { orUnavailable } from '../http/problem.ts';
import { isReadable } from './authorization.ts';
import { walkDeliveries } from './deliveries.ts';
import { existing } from './existing.ts';
import { requireAllLanes } from './lane.ts';

export default operation(listWebhookDeliveries, ({ parameters, query, caller, receivedAt, stores }) => {
  requireAllLanes(caller);
  const { tenant_id: tenantId } = caller.tenant;
  return orUnavailable(async () => {
    const endpoint = existing(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
    return page({
      route: listWebhookDeliveries,
      // Its cursors are for one endpoint.
      query: { ...query, endpoint: endpoint.id },
      caller,
      receivedAt,
      cursorKey: stores.cursorKey,
      stretch: ({ after, asOf }, limit) =>
        walkDeliveries(stores.deliveryLog, {
          tenantId,
          endpointId: endpoint.id,
          query,
          isReadable: (type) => isReadable(caller.scopes, type),
          after,
          limit,
          now: asOf,
        }),
    });
  });
});
