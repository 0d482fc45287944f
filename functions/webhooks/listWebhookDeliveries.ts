import { listWebhookDeliveries } from '../../schemas/routes/webhookDeliveries.ts';
import { operation } from '../http/operation.ts';
import { page } from '../http/paging.ts';
import { orUnavailable } from '../shared/problem.ts';
import { isReadable } from './endpoints/authorization.ts';
import { walkDeliveries } from './deliveries/deliveries.ts';
import { existing } from './endpoints/existing.ts';
import { requireAllLanes } from './endpoints/lane.ts';

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
