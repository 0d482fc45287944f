import * as z from 'zod';
import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import {
  type CollectionLookup,
  countedCollection,
} from '../../platform/shared/aws/countedCollection.store.ts';
import type { Revision, Versioned, Write } from '../../platform/shared/aws/document.store.ts';
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
const EMPTY_COLLECTION: MappingCollection = { revision: 0, count: 0, last: 0 };

const mappingCollection = (table: string) =>
  countedCollection(
    table,
    { prefix: 'mapping', name: 'mappings' },
    { shape: IdentityMapping, headShape: MappingCollection, emptyHead: EMPTY_COLLECTION },
  );

export interface MappingReader {
  readonly mapping: (tenantId: string, ulid: string) => Promise<IdentityMapping | null>;
  /** In the order of evaluation; strongly consistent. During a change, it may return the mapping before the change. */
  readonly all: (tenantId: string) => Promise<IdentityMapping[]>;
  /** Increases with every change; 0 before the first. */
  readonly revision: (tenantId: string) => Promise<number>;
}

export const mappingReader = (table: string): MappingReader => {
  const collection = mappingCollection(table);
  return {
    mapping: collection.read,
    all: async (tenantId) =>
      sortByEvaluationOrder(await collection.list(tenantId, { descending: false, limit: MAPPINGS_MAXIMUM })),
    revision: async (tenantId) => (await collection.head(tenantId)).revision,
  };
};

/** What a change of a mapping depends on. */
export type MappingLookup = CollectionLookup<IdentityMapping, MappingCollection>;

export interface MappingWriter {
  /** Reads a mapping and its collection, with the revision of the last write or deletion. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<MappingLookup>>;
  /** The writes that create or replace a mapping. They fail when any mapping of the tenant was changed since `find`. */
  readonly put: (
    tenantId: string,
    mapping: IdentityMapping,
    lookup: MappingLookup,
    by: Revision,
  ) => readonly Write[];
  /** The writes that delete a mapping. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    mapping: IdentityMapping,
    lookup: MappingLookup,
    by: Revision,
    now: number,
  ) => readonly Write[];
}

export const mappingWriter = (table: string): MappingWriter => {
  const collection = mappingCollection(table);
  return {
    find: collection.find,
    put: (tenantId, mapping, lookup, by) => {
      const { head, expectedRevisions } = lookup;
      const next = {
        revision: head.revision + 1,
        count: head.count + (expectedRevisions.document === null ? 1 : 0),
        last: Math.max(head.last, mapping.position),
      };
      return [
        collection.put(tenantId, mapping, expectedRevisions.document, by),
        collection.putHead(tenantId, next, lookup, by),
      ];
    },
    remove: (tenantId, mapping, lookup, by, now) => {
      const { head } = lookup;
      const next = { ...head, revision: head.revision + 1, count: head.count - 1 };
      return collection.remove(tenantId, mapping, { head: next, lookup, by, now });
    },
  };
};
