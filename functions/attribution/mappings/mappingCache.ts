import type { MappingReader } from './mapping.store.ts';
import { type CompiledMappings, compileMappings } from './mappingRules.ts';

interface CacheEntry {
  readonly revision: number;
  readonly mappings: CompiledMappings;
  /** Read while nothing was being changed. */
  readonly isStable: boolean;
}

/**
 * Looks up a tenant's mappings as they are, reading them anew only when their revision says that something changed:
 * one small read instead of up to 500. Remembers at most `capacity` tenants.
 */
export const mappingCache = (reader: Pick<MappingReader, 'all' | 'revision'>, capacity: number) => {
  const cache = new Map<string, CacheEntry>();

  return async (tenantId: string): Promise<CompiledMappings> => {
    const revision = await reader.revision(tenantId);
    const cached = cache.get(tenantId);
    const isSame = cached?.revision === revision;
    if (isSame && cached.isStable) return cached.mappings;
    const mappings = compileMappings(await reader.all(tenantId));
    cache.delete(tenantId);
    const oldest = cache.size >= capacity ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    // Whoever reads several items right after a transaction may see half of it (DynamoDB isolates single items), so
    // what was read when a revision was first seen is read once more.
    cache.set(tenantId, { revision, mappings, isStable: isSame });
    return mappings;
  };
};
