import * as z from 'zod';
import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import {
  deleteDocument,
  listDocuments,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import { sortByEvaluationOrder } from './evaluationOrder.ts';

/** How long a deleted mapping is remembered, in seconds: longer than a call may be repeated under its key. */
const TOMBSTONE_TTL_SECONDS = 2 * 24 * 60 * 60;

/** What a tenant's mappings have in common; every change of one of them writes it too, so they follow on each other. */
const MappingCollection = z.object({
  /** Grows by one with each change. */
  revision: z.int(),
  count: z.int(),
  /** The highest position any mapping was ever given. */
  last: z.int(),
});
type MappingCollection = z.infer<typeof MappingCollection>;
const EMPTY_COLLECTION: MappingCollection = { revision: 0, count: 0, last: 0 };

const partitionOf = (tenantId: string): string => `mapping#${tenantId}`;
const mappingKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const collectionKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: 'mappings' });
/** Apart from those that hold, so that whoever reads all of them never reads more than there may be. */
const tombstoneKey = (tenantId: string, ulid: string) => ({ pk: `deleted#${tenantId}`, sk: ulid });

export interface MappingReader {
  readonly mapping: (tenantId: string, ulid: string) => Promise<IdentityMapping | null>;
  /** In the order they are tried; strongly consistent, though one that is being changed may come as it was. */
  readonly all: (tenantId: string) => Promise<IdentityMapping[]>;
  /** Another number after every change; 0 before the first. */
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

/** A place for a mapping, as a change finds it. */
export interface MappingLookup {
  /** Null when there is none, or none any more. */
  readonly mapping: IdentityMapping | null;
  /** What was there until it was deleted. */
  readonly tombstone: IdentityMapping | null;
  readonly collection: MappingCollection;
  readonly revisions: { readonly mapping: Revision | null; readonly head: Revision | null };
}

export interface MappingWriter {
  /** A mapping and what its change depends on, with who wrote or deleted it last. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<MappingLookup>>;
  /** Puts a mapping where one was found, or none. Fails when any of the tenant's was changed since. */
  readonly put: (
    tenantId: string,
    mapping: IdentityMapping,
    found: MappingLookup,
    by: Revision,
  ) => readonly Write[];
  /** Deletes the mapping that was found. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    mapping: IdentityMapping,
    found: MappingLookup,
    by: Revision,
    now: number,
  ) => readonly Write[];
}

const NO_REVISION: Revision = { claim: '', attempt: 0 };

export const mappingWriter = (table: string): MappingWriter => {
  const writeCollection = (
    tenantId: string,
    head: MappingCollection,
    { revisions }: MappingLookup,
    by: Revision,
  ): Write => writeDocument(table, collectionKey(tenantId), head, { expectedRevision: revisions.head, by });

  return {
    find: async (tenantId, ulid) => {
      // The head first: what is read behind it and changed meanwhile is found out when the head is written.
      const head = await readVersioned(table, collectionKey(tenantId), MappingCollection);
      const own = await readVersioned(table, mappingKey(tenantId, ulid), IdentityMapping);
      const deleted =
        own === null ? await readVersioned(table, tombstoneKey(tenantId, ulid), IdentityMapping) : null;
      return {
        document: {
          mapping: own?.document ?? null,
          tombstone: deleted?.document ?? null,
          collection: head?.document ?? EMPTY_COLLECTION,
          revisions: { mapping: own?.revision ?? null, head: head?.revision ?? null },
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
        // Once only, so that two who delete it at the same time do not count it out twice.
        writeDocument(table, tombstoneKey(tenantId, ulid), mapping, { expectedRevision: null, by, ttl }),
        writeCollection(tenantId, next, lookup, by),
      ];
    },
  };
};
