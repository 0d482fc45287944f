import type { ContractPrices } from '../../schemas/attribution/contractPrices.ts';
import type { PriceObject } from '../../schemas/attribution/loadedPrices.ts';
import type { NodePools } from '../../schemas/attribution/nodePools.ts';
import { type Factors, loadFactors } from './factors.ts';
import { contractPriceSource, contractPricesVersion } from './price/contractPrices.ts';
import { poolFinder } from './price/nodePools.ts';

/** The factors of a tenant with these contract prices and own nodes, and the prices that operators loaded. */
export const tenantFactors = async (
  { contract, pools }: { readonly contract: ContractPrices; readonly pools: NodePools },
  loaded: PriceObject | null,
): Promise<Factors> => {
  const factors = await loadFactors({
    loaded,
    ...(contract.length > 0 && {
      contract: { version: contractPricesVersion(contract), prices: contractPriceSource(contract) },
    }),
  });
  return pools.length === 0 ? factors : { ...factors, findPool: poolFinder(pools) };
};
