import * as z from 'zod';
import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import {
  deleteDocument,
  listDocuments,
  NO_REVISION,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import { sortByEvaluationOrder } from './evaluationOrder.ts';

/** Retention of the tombstone of a deleted mapping. Longer than the lifetime of an idempotency key. */
const TOMBSTONE_TTL_SECONDS = 2 * 24 * 60 * 60;

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

const partitionOf = (tenantId: string): string => `mapping#${tenantId}`;
const mappingKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const collectionKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'mappings' });
/** In a separate partition, so that a query for all mappings reads no tombstones. */
const tombstoneKey = (tenantId: string, ulid: string) => ({ pk: `deleted#${tenantId}`, sk: ulid });

export interface MappingReader {
  readonly mapping: (tenantId: string, ulid: string) => Promise<IdentityMapping | null>;
  /** In the order of evaluation; strongly consistent. During a change, it may return the mapping before the change. */
  readonly all: (tenantId: string) => Promise<IdentityMapping[]>;
  /** Increases with every change; 0 before the first. */
  readonly revision: (tenantId: string) => Promise<number>;
}

export const mappingReader = (table: string): MappingReader => ({
  mapping: (tenantId, ulid) => readDocument(table, mappingKey(tenantId, ulid), IdentityMapping),
  all: async (tenantId) =>
    sortByEvaluationOrder(
      await listDocuments(
        table,
        partitionOf(tenantId),
        { descending: false, limit: MAPPINGS_MAXIMUM },
        IdentityMapping,
      ),
    ),
  revision: async (tenantId) =>
    (await readDocument(table, collectionKey(tenantId), MappingCollection))?.revision ??
    EMPTY_COLLECTION.revision,
});

/** The state of one mapping and its collection, read before a change. */
export interface MappingLookup {
  /** Null when it does not exist or was deleted. */
  readonly mapping: IdentityMapping | null;
  /** The mapping before it was deleted; null when it was not deleted. */
  readonly tombstone: IdentityMapping | null;
  readonly collection: MappingCollection;
  readonly revisions: { readonly mapping: Revision | null; readonly collection: Revision | null };
}

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
  const writeCollection = (
    tenantId: string,
    collection: MappingCollection,
    { revisions }: MappingLookup,
    by: Revision,
  ): Write =>
    writeDocument(table, collectionKey(tenantId), collection, {
      expectedRevision: revisions.collection,
      by,
    });

  return {
    find: async (tenantId, ulid) => {
      // The collection first: its write then detects every change made after this read.
      const collection = await readVersioned(table, collectionKey(tenantId), MappingCollection);
      const own = await readVersioned(table, mappingKey(tenantId, ulid), IdentityMapping);
      const deleted =
        own === null ? await readVersioned(table, tombstoneKey(tenantId, ulid), IdentityMapping) : null;
      return {
        document: {
          mapping: own?.document ?? null,
          tombstone: deleted?.document ?? null,
          collection: collection?.document ?? EMPTY_COLLECTION,
          revisions: { mapping: own?.revision ?? null, collection: collection?.revision ?? null },
        },
        revision: own?.revision ?? deleted?.revision ?? NO_REVISION,
      };
    },
    put: (tenantId, mapping, lookup, by) => {
      const { collection, revisions } = lookup;
      const next = {
        revision: collection.revision + 1,
        count: collection.count + (revisions.mapping === null ? 1 : 0),
        last: Math.max(collection.last, mapping.position),
      };
      return [
        writeDocument(table, mappingKey(tenantId, ulidInId(mapping.id)), mapping, {
          expectedRevision: revisions.mapping,
          by,
        }),
        writeCollection(tenantId, next, lookup, by),
      ];
    },
    remove: (tenantId, mapping, lookup, by, now) => {
      const { collection } = lookup;
      const ulid = ulidInId(mapping.id);
      const next = { ...collection, revision: collection.revision + 1, count: collection.count - 1 };
      const ttl = Math.ceil(now / 1_000) + TOMBSTONE_TTL_SECONDS;
      return [
        deleteDocument(table, mappingKey(tenantId, ulid)),
        // Fails when the tombstone exists, so that two concurrent deletions do not decrement the count twice.
        writeDocument(table, tombstoneKey(tenantId, ulid), mapping, { expectedRevision: null, by, ttl }),
        writeCollection(tenantId, next, lookup, by),
      ];
    },
  };
};
