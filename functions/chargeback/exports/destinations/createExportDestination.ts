import { createExportDestination } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { toDestination } from './destination.ts';
import { destinationResource } from './destinationResource.ts';

export default operation(createExportDestination, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { document } = await destinationResource(stores.destinationStore).create(call, (id) => ({
    id,
    ...body,
    check: { state: 'unchecked', error: null, at: null },
    created_at: toIso(receivedAt),
    created_by: caller.principal,
  }));
  return reply(201, toDestination(document, stores.deliveryRoleArn), {
    location: `/v1/exports/destinations/${document.id}`,
  });
});
