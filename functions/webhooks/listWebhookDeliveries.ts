import { listWebhookDeliveries } from '../../schemas/routes/webhookDeliveries.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage } from '../http/paging.ts';
import { orUnavailable } from '../shared/problem.ts';
import { readDeliveryPage } from './deliveries/deliveryPage.ts';
import { isReadable } from './endpoints/authorization.ts';
import { requireEndpoint } from './endpoints/requireEndpoint.ts';
import { requireUnboundCredential } from './endpoints/residency.ts';

export default operation(listWebhookDeliveries, ({ parameters, query, caller, receivedAt, stores }) => {
  requireUnboundCredential(caller);
  const { tenant_id: tenantId } = caller.tenant;
  return orUnavailable(async () => {
    const endpoint = requireEndpoint(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
    return respondWithPage({
      route: listWebhookDeliveries,
      // Its cursors are for one endpoint.
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
