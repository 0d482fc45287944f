import { updateExportDestination } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toDestination } from './destination.ts';
import { destinationResource } from './destinationResource.ts';

export default operation(updateExportDestination, async (call) => {
  const { body, stores } = call;
  const { document } = await destinationResource(stores.destinationStore).update(call, (destination) => ({
    ...destination,
    name: body.name,
  }));
  return reply(200, toDestination(document, stores.deliveryRoleArn));
});
