import * as z from 'zod';
import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import {
  type CountedCollection,
  countedCollection,
} from '../../platform/shared/aws/countedCollection.store.ts';
import { sortByEvaluationOrder } from './evaluationOrder.ts';

/** State of a tenant's collection of mappings. Every change of a mapping also writes it, which serializes the changes. */
const MappingCollection = z.object({
  /** Incremented by each change. */
  revision: z.int(),
  count: z.int(),
  /** The highest position that any mapping ever had. */
  last: z.int(),
});
type MappingCollection = z.infer<typeof MappingCollection>;

export type MappingWriter = CountedCollection<IdentityMapping, MappingCollection>;

export const mappingWriter = (table: string): MappingWriter =>
  countedCollection(table, {
    prefix: 'mapping',
    name: 'mappings',
    shape: IdentityMapping,
    headShape: MappingCollection,
    emptyHead: { revision: 0, count: 0, last: 0 },
    countOf: ({ count }) => count,
    nextHead: ({ revision, count, last }, before, after) => ({
      revision: revision + 1,
      count: count + (after === null ? 0 : 1) - (before === null ? 0 : 1),
      last: Math.max(last, after?.position ?? 0),
    }),
  });

export interface MappingReader {
  readonly mapping: (tenantId: string, ulid: string) => Promise<IdentityMapping | null>;
  /** In the order of evaluation; strongly consistent. During a change, it may return the mapping before the change. */
  readonly all: (tenantId: string) => Promise<IdentityMapping[]>;
  /** Identifies the last change, also after a restore of an earlier state. */
  readonly revision: (tenantId: string) => Promise<string>;
}

export const mappingReader = (table: string): MappingReader => {
  const collection = mappingWriter(table);
  return {
    mapping: collection.read,
    all: async (tenantId) =>
      sortByEvaluationOrder(await collection.list(tenantId, { descending: false, limit: MAPPINGS_MAXIMUM })),
    revision: async (tenantId) => JSON.stringify(await collection.headRevision(tenantId)),
  };
};
