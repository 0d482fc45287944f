import { listIdentityMappings } from '../../schemas/routes/identity.ts';
import { evaluationKeyOf } from '../attribution/mappings/evaluationOrder.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';

export default operation(listIdentityMappings, ({ query, caller, receivedAt, stores }) =>
  respondWithPage({
    route: listIdentityMappings,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    // There are few enough to read them all, and no other order than theirs to read them in.
    readPage: async ({ after = '' }, limit) => {
      const all = await stores.mappings.all(caller.tenant.tenant_id);
      return toPage(
        all.filter((mapping) => evaluationKeyOf(mapping) > after),
        limit,
        evaluationKeyOf,
      );
    },
  }),
);
