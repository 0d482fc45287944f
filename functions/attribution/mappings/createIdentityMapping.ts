import { createIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { nextPosition } from './evaluationOrder.ts';
import { buildMapping } from './mappingChanges.ts';
import { mappingResource } from './mappingResource.ts';

export default operation(createIdentityMapping, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { document } = await mappingResource(stores.mappingWriter).create(call, (id, head) =>
    buildMapping(body, {
      id,
      position: nextPosition(head.last),
      effectiveFrom: toIso(receivedAt),
      at: receivedAt,
      by: caller.principal,
    }),
  );
  return reply(201, document, { location: `/api/v1/identity/mappings/${document.id}` });
});
