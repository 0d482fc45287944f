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
    // A tenant has at most 500 mappings, and the table does not sort by evaluation order. So all of them are read.
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
