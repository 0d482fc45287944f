import { type Factors, loadFactors } from '../../impact/factors.ts';
import type { PricesInForceReader } from '../../impact/price/lists/pricesInForce.ts';
import { tenantFactors } from '../../impact/tenantFactors.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { MappingReader } from '../mappings/mapping.store.ts';
import { mappingCache } from '../mappings/mappingCache.ts';
import { noMappings } from '../mappings/mappingRules.ts';
import type { TenantAttributionContext } from './attribute.ts';
import type { Infer } from './inference.ts';

/** After this time, changes of prices and mappings apply to all new events. */
const CACHE_TTL_MS = 5_000;
/** In tenants. */
const CACHE_CAPACITY = 1_000;

/** Returns a loader of a tenant's attribution context. The context is at most 5 seconds old. */
export const attributionContext = (stores: {
  readonly tenants: Pick<TenantReader, 'contractPrices' | 'nodePools'>;
  readonly mappings: MappingReader;
  readonly loadedPrices: PricesInForceReader;
  readonly inferrer: (tenant: Tenant) => Promise<Infer>;
  readonly clock: Clock;
}) => {
  const { tenants, mappings, loadedPrices, inferrer, clock } = stores;
  const cacheOptions = { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY, clock };
  const factorsOf = cacheLookups(async (tenantId: string): Promise<Factors | null> => {
    const [contract, pools, loaded] = await Promise.all([
      tenants.contractPrices(tenantId),
      tenants.nodePools(tenantId),
      loadedPrices(),
    ]);
    return tenantFactors({ contract, pools }, loaded);
  }, cacheOptions);
  const mappingsOf = cacheLookups(mappingCache(mappings, CACHE_CAPACITY), cacheOptions);

  return async (tenant: Tenant): Promise<TenantAttributionContext> => {
    const { tenant_id: tenantId } = tenant;
    const [factors, compiled, infer] = await Promise.all([
      factorsOf(tenantId),
      mappingsOf(tenantId),
      inferrer(tenant),
    ]);
    const { largest_reported_cost_usd: largestCostUsd } = tenant;
    return {
      factors: { ...(factors ?? (await loadFactors())), ...(largestCostUsd && { largestCostUsd }) },
      mappings: compiled ?? noMappings,
      infer,
    };
  };
};
