import { getIdentityMapping } from '../../schemas/routes/identity.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { noSuchMapping } from './edit.ts';

export default operation(getIdentityMapping, async ({ parameters, caller, stores }) => {
  const mapping = await stores.mappings.mapping(caller.tenant.tenant_id, parameters['id'] ?? '');
  if (mapping === null) throw noSuchMapping();
  return reply(200, mapping);
});
