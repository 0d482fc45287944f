import { listWebhookDeliveries } from '../../../schemas/routes/delivery/webhookDeliveries.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage } from '../../platform/http/pages/paging.ts';
import { readDeliveryPage } from './deliveries/deliveryPage.ts';
import { isReadable } from './endpoints/authorization.ts';
import { requireEndpoint } from './endpoints/requireEndpoint.ts';

export default operation(listWebhookDeliveries, async (call) => {
  const { parameters, query, caller, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const endpoint = requireEndpoint(await stores.endpoints.endpoint(tenantId, parameters['id'] ?? ''));
  // Binds the cursor to the endpoint.
  const bound = { ...call, query: { ...query, endpoint: endpoint.id } };
  return respondWithPage(listWebhookDeliveries, bound, ({ after, asOf }, limit) =>
    readDeliveryPage(stores.deliveryLog, {
      tenantId,
      endpointId: endpoint.id,
      query,
      isReadable: (type) => isReadable(caller.scopes, type),
      after,
      limit,
      now: asOf,
    }),
  );
});
