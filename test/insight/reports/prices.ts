import type { PricesInForceReader } from '../../../functions/impact/price/lists/pricesInForce.ts';
import type { TenantReader } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import type { PriceObject } from '../../../schemas/attribution/loadedPrices.ts';

/** Reads the prices of a tenant, and what operators have loaded. */
export interface PriceReaders {
  readonly tenants: TenantReader;
  readonly loadedPrices: PricesInForceReader;
}

export const pricesOfTenant = (
  contract: ContractPrices,
  loaded: PriceObject | null = null,
): PriceReaders => ({
  tenants: {
    tenant: async () => null,
    tenantOfSender: async () => null,
    contractPrices: async () => contract,
    nodePools: async () => [],
  },
  loadedPrices: async () => loaded,
});

/** Without a contract, while no operator has loaded any. */
export const publishedPrices = pricesOfTenant([]);
