import { getContractPrices } from '../../schemas/routes/reporting/contractPrices.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { contractPricesVersion } from '../impact/price/contractPrices.ts';
import { orUnavailable } from '../shared/problem.ts';

export default operation(getContractPrices, async ({ caller, stores }) => {
  const prices = await orUnavailable(() => stores.tenants.contractPrices(caller.tenant.tenant_id));
  return reply(200, { version: contractPricesVersion(prices), prices });
});
