import { deleteExportDestination } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { destinationResource } from './destinationResource.ts';

export default operation(deleteExportDestination, async (call) => {
  await destinationResource(call.stores.destinationStore).remove(call);
  return reply(204, undefined);
});
