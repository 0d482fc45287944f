import type { MappingReader } from './identityMapping.store.ts';
import { compileMappings, type Mappings } from './mapping.ts';

interface Known {
  readonly revision: number;
  readonly mappings: Mappings;
  /** Read while nothing was being changed. */
  readonly isSettled: boolean;
}

/**
 * Looks up a tenant's mappings as they are, reading them anew only when their revision says that something changed:
 * one small read instead of up to 500. Remembers at most `capacity` tenants.
 */
export const currentMappings = (reader: Pick<MappingReader, 'all' | 'revision'>, capacity: number) => {
  const known = new Map<string, Known>();

  return async (tenantId: string): Promise<Mappings> => {
    const revision = await reader.revision(tenantId);
    const before = known.get(tenantId);
    const isSame = before?.revision === revision;
    if (isSame && before.isSettled) return before.mappings;
    const mappings = compileMappings(await reader.all(tenantId));
    known.delete(tenantId);
    const oldest = known.size >= capacity ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    // Whoever reads several items right after a transaction may see half of it (DynamoDB isolates single items), so
    // what was read when a revision was first seen is read once more.
    known.set(tenantId, { revision, mappings, isSettled: isSame });
    return mappings;
  };
};
