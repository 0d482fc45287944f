import * as z from 'zod';
import { PriceChange, putContractPrices } from '../../../schemas/routes/chargeback/contractPrices.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { contractPricesVersion } from '../../impact/price/contractPrices.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { contractPriceChanges } from './contractPriceChanges.ts';

export default operation(putContractPrices, async (call) => {
  const { body, caller, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { prices } = body;
  const { result: changes } = await changeOnce(call, z.array(PriceChange), async () => {
    const { document: current, revision } = await stores.tenantSettings.contractPrices(tenantId);
    const revisions = { expectedRevision: revision, by: claim };
    return {
      writes: [stores.tenantSettings.putContractPrices(tenantId, prices, revisions)],
      result: contractPriceChanges(current, prices),
      resource: tenantId,
      before: current,
      after: prices,
    };
  });
  return reply(200, { version: contractPricesVersion(prices), prices, changes });
});
