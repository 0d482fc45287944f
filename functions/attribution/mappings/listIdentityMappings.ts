import { listIdentityMappings } from '../../../schemas/routes/attribution/mappings.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { evaluationKeyOf } from './evaluationOrder.ts';

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
