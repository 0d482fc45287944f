import { type Factors, loadFactors } from '../impact/factors.ts';
import { contractPriceSource, contractPricesVersion } from '../impact/price/contractPrices.ts';
import type { Clock } from '../shared/clock.ts';
import { cacheLookups } from '../shared/lookupCache.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { Infer } from './inference.ts';
import type { MappingReader } from './mappings/mapping.store.ts';
import { mappingCache } from './mappings/mappingCache.ts';
import { noMappings } from './mappings/mappingRules.ts';
import type { TenantAttributionContext } from './traceCorrelation.ts';

/** How soon a change of prices or mappings counts for new events, in milliseconds. */
const LIFETIME = 5_000;
const CAPACITY = 1_000;

/** Gathers what a tenant's events are judged by, as it was a few seconds ago at most. */
export const attributionContext = (stores: {
  readonly tenants: Pick<TenantReader, 'contractPrices'>;
  readonly mappings: MappingReader;
  readonly inferrer: (tenant: Tenant) => Promise<Infer>;
  readonly clock: Clock;
}) => {
  const { tenants, mappings, inferrer, clock } = stores;
  const lasting = { lifetime: LIFETIME, capacity: CAPACITY, clock };
  const factorsOf = cacheLookups(async (tenantId: string): Promise<Factors | null> => {
    const prices = await tenants.contractPrices(tenantId);
    if (prices.length === 0) return loadFactors();
    return loadFactors({
      contract: { version: contractPricesVersion(prices), prices: contractPriceSource(prices) },
    });
  }, lasting);
  const mappingsOf = cacheLookups(mappingCache(mappings, CAPACITY), lasting);

  return async (tenant: Tenant): Promise<TenantAttributionContext> => {
    const { tenant_id: tenantId } = tenant;
    const [factors, compiled, infer] = await Promise.all([
      factorsOf(tenantId),
      mappingsOf(tenantId),
      inferrer(tenant),
    ]);
    return { factors: factors ?? (await loadFactors()), mappings: compiled ?? noMappings, infer };
  };
};
