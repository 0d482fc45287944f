import { updateIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { patchMapping } from './mappingChanges.ts';
import { mappingResource } from './mappingResource.ts';

export default operation(updateIdentityMapping, async (call) => {
  const { document } = await mappingResource(call.stores.mappingWriter).update(call, (mapping) =>
    patchMapping(mapping, call.body, call.receivedAt),
  );
  return reply(200, document);
});
