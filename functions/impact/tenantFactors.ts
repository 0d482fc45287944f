import type { ContractPrices } from '../../schemas/attribution/contractPrices.ts';
import type { PriceObject } from '../../schemas/attribution/loadedPrices.ts';
import { type Factors, loadFactors } from './factors.ts';
import { contractPriceSource, contractPricesVersion } from './price/contractPrices.ts';

/** The factors of a tenant with these contract prices, and the prices that operators loaded. */
export const tenantFactors = (contract: ContractPrices, loaded: PriceObject | null): Promise<Factors> =>
  loadFactors({
    loaded,
    ...(contract.length > 0 && {
      contract: { version: contractPricesVersion(contract), prices: contractPriceSource(contract) },
    }),
  });
