import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { contractPriceSource } from '../../impact/price/contractPrices.ts';
import type { PriceFactors } from '../../impact/price/listCost.ts';
import { pricesOf } from '../../impact/price/lists/listPrices.ts';
import type { PricesInForceReader } from '../../impact/price/lists/pricesInForce.ts';
import type { PriceSource } from '../../impact/price/priceSheet.ts';
import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { WeightsAt } from './modelCalls.ts';

// Import this file dynamically: it contains the price catalogue.

/** What the prices of a report are read from. */
export interface PriceStores {
  readonly tenants: Pick<TenantReader, 'contractPrices'>;
  readonly loadedPrices: PricesInForceReader;
}

/**
 * The prices that the costs of the tenant use: of its contracts, loaded by operators, and of the lists. Records show the unit prices
 * of a contract, so a caller that may not read them gets the prices without contracts.
 */
export const readPrices = async (
  { tenants, loadedPrices }: PriceStores,
  { tenant, scopes }: Pick<Caller, 'tenant' | 'scopes'>,
): Promise<PriceFactors> => {
  const [contract, loaded] = await Promise.all([
    scopes.has(RECORDS_SCOPE) ? tenants.contractPrices(tenant.tenant_id) : [],
    loadedPrices(),
  ]);
  return pricesOf(contract.length === 0 ? null : contractPriceSource(contract), loaded);
};

/** Tokens of a cache without a price of their own are charged as input. */
export const weightsFrom =
  (prices: PriceSource): WeightsAt =>
  (provider, servedModel, at, contextTokens = 0) => {
    const identity = modelIdentity(provider, servedModel);
    const sheet = prices.find(identity.provider, identity.model, at, contextTokens, identity.region);
    if (sheet === null) return null;
    const { input, cached_input: cached, cache_write: written, output } = sheet;
    const weight = (price: string | null) => (price === null ? null : decimal(price));
    return {
      uncached: weight(input),
      cached: weight(cached ?? input),
      written: weight(written ?? input),
      output: weight(output),
    };
  };
