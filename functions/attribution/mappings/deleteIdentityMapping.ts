import { deleteIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { mappingResource } from './mappingResource.ts';

export default operation(deleteIdentityMapping, async (call) => {
  await mappingResource(call.stores.mappingWriter).remove(call);
  return reply(204, undefined);
});
