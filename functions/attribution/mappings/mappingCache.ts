import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import type { MappingReader } from './mapping.store.ts';
import { type CompiledMappings, compileMappings } from './mappingRules.ts';

interface CacheEntry {
  readonly revision: string;
  readonly mappings: CompiledMappings;
  /** Whether the mappings were read after the revision had been seen before. */
  readonly isStable: boolean;
}

/**
 * Returns a cached reader of a tenant's current mappings. It reads them again only when their revision has changed: one
 * small read instead of up to 500 mappings. Caches at most `capacity` tenants.
 */
export const mappingCache = (reader: Pick<MappingReader, 'all' | 'revision'>, capacity: number) => {
  const cache = new Map<string, CacheEntry>();

  return async (tenantId: string): Promise<CompiledMappings> => {
    const revision = await reader.revision(tenantId);
    const cached = cache.get(tenantId);
    const isSame = cached?.revision === revision;
    if (isSame && cached.isStable) return cached.mappings;
    const mappings = compileMappings(await reader.all(tenantId));
    // A query right after a transaction may return part of it (DynamoDB isolates single items only). So the mappings
    // are read a second time before the entry counts as stable.
    setBounded(cache, tenantId, { revision, mappings, isStable: isSame }, capacity);
    return mappings;
  };
};
