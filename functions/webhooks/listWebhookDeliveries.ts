import { listWebhookDeliveries } from '../../schemas/routes/webhookDeliveries.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage } from '../http/paging.ts';
import { orUnavailable } from '../shared/problem.ts';
import { requireNoLane } from '../tenancy/residency.ts';
import { readDeliveryPage } from './deliveries/deliveryPage.ts';
import { isReadable } from './endpoints/authorization.ts';
import { requireEndpoint } from './endpoints/requireEndpoint.ts';

export default operation(listWebhookDeliveries, ({ parameters, query, caller, receivedAt, stores }) => {
  requireNoLane(caller, 'Webhooks');
  const { tenant_id: tenantId } = caller.tenant;
  return orUnavailable(async () => {
    const endpoint = requireEndpoint(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
    return respondWithPage({
      route: listWebhookDeliveries,
      // Binds the cursor to the endpoint.
      query: { ...query, endpoint: endpoint.id },
      caller,
      receivedAt,
      cursorKey: stores.cursorKey,
      readPage: ({ after, asOf }, limit) =>
        readDeliveryPage(stores.deliveryLog, {
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
