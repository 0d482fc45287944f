import { getExportDestination } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { requireDestination, toDestination } from './destination.ts';

export default operation(getExportDestination, async ({ parameters, caller, stores }) => {
  const found = await stores.exportDestinations.read(caller.tenant.tenant_id, parameters['id'] ?? '');
  return reply(200, toDestination(requireDestination(found), stores.deliveryRoleArn));
});
