import { checkExportDestination } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toDestination } from './destination.ts';
import { destinationResource } from './destinationResource.ts';

export default operation(checkExportDestination, async (call) => {
  const { stores } = call;
  const { document } = await destinationResource(stores.destinationStore).update(call, (destination) => ({
    ...destination,
    check: { ...destination.check, state: 'checking' },
  }));
  return reply(202, toDestination(document, stores.deliveryRoleArn));
});
