import { getIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { requireMapping } from './mappingChanges.ts';

export default operation(getIdentityMapping, async ({ parameters, caller, stores }) => {
  const mapping = await stores.mappings.mapping(caller.tenant.tenant_id, parameters['id'] ?? '');
  return reply(200, requireMapping(mapping));
});
