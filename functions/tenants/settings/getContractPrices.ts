import { getContractPrices } from '../../../schemas/routes/chargeback/contractPrices.ts';
import { contractPricesVersion } from '../../impact/price/contractPrices.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';

export default operation(getContractPrices, async ({ caller, stores }) => {
  const prices = await stores.tenants.contractPrices(caller.tenant.tenant_id);
  return reply(200, { version: contractPricesVersion(prices), prices });
});
