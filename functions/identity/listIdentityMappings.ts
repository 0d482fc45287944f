import { listIdentityMappings } from '../../schemas/routes/attribution/identity.ts';
import { evaluationKeyOf } from '../attribution/mappings/evaluationOrder.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';

export default operation(listIdentityMappings, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listIdentityMappings, call, async ({ after = '' }, limit) => {
    // A tenant has at most 500 mappings, and the table does not sort by evaluation order. So all of them are read.
    const all = await stores.mappings.all(caller.tenant.tenant_id);
    return toPage(
      all.filter((mapping) => evaluationKeyOf(mapping) > after),
      limit,
      evaluationKeyOf,
    );
  });
});
