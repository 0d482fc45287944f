import { ENDPOINTS_MAXIMUM } from '../../../../schemas/delivery/webhooks.ts';
import { tenantResource } from '../../../identity/audit/tenantResource.ts';
import { type EndpointWriter, StoredEndpoint } from './endpoint.store.ts';
import { requireEndpoint } from './requireEndpoint.ts';

export const endpointResource = (endpoints: EndpointWriter) =>
  tenantResource(
    {
      shape: StoredEndpoint,
      name: 'webhook endpoint',
      idPrefix: 'whe',
      maximum: ENDPOINTS_MAXIMUM,
      requireVisible: (_caller, found) => requireEndpoint(found),
    },
    endpoints,
  );
