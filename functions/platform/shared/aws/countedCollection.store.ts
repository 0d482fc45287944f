import type * as z from 'zod';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { ulidInId } from '../ids.ts';
import {
  type DocumentRange,
  deleteDocument,
  listDocuments,
  NO_REVISION,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from './document.store.ts';

/** Longer than a call may be repeated under its Idempotency-Key: a repeated deletion still finds what it deleted. */
const TOMBSTONE_TTL_SECONDS = 2 * DAY_SECONDS;

/** A document and its collection, as a change read them. */
export interface CollectionLookup<Document, Head> {
  /** Null when there is none, or it was deleted. */
  readonly current: Document | null;
  /** The deleted document, for two days after its deletion. */
  readonly deleted: Document | null;
  /** What the documents of the tenant have in common, such as their count. */
  readonly head: Head;
  readonly expectedRevisions: { readonly document: Revision | null; readonly head: Revision | null };
}

/** The keys of a collection. */
export interface CollectionKeys {
  /** The documents of a tenant have the partition key `<prefix>#<tenant>`. */
  readonly prefix: string;
  /** The sort key of the head. */
  readonly name: string;
}

/**
 * A bounded collection of documents of each tenant, with a head that every creation and deletion also writes. Two of them
 * at the same time conflict on the head, so its count is exact. A deletion leaves a tombstone.
 */
export const countedCollection = <Document extends { readonly id: string }, Head extends object>(
  table: string,
  { prefix, name }: CollectionKeys,
  {
    shape,
    headShape,
    emptyHead,
  }: {
    readonly shape: z.ZodType<Document>;
    readonly headShape: z.ZodType<Head>;
    readonly emptyHead: Head;
  },
) => {
  const partitionOf = (tenantId: string): string => `${prefix}#${tenantId}`;
  const documentKey = (tenantId: string, id: string) => ({ pk: partitionOf(tenantId), sk: ulidInId(id) });
  const headKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: name });
  /** In a separate partition, so that a read of all documents stays within their maximum. */
  const tombstoneKey = (tenantId: string, id: string) => ({ pk: `deleted#${tenantId}`, sk: ulidInId(id) });

  type Lookup = CollectionLookup<Document, Head>;
  const putHead = (tenantId: string, head: Head, { expectedRevisions }: Lookup, by: Revision): Write =>
    writeDocument(table, headKey(tenantId), head, { expectedRevision: expectedRevisions.head, by });

  return {
    /** `id` is the id of a document, or the ULID at its end. */
    read: (tenantId: string, id: string): Promise<Document | null> =>
      readDocument(table, documentKey(tenantId, id), shape),
    versioned: (tenantId: string, id: string): Promise<Versioned<Document> | null> =>
      readVersioned(table, documentKey(tenantId, id), shape),
    /** In the order of creation. */
    list: (tenantId: string, range: DocumentRange): Promise<Document[]> =>
      listDocuments(table, partitionOf(tenantId), range, shape),
    head: async (tenantId: string): Promise<Head> =>
      (await readDocument(table, headKey(tenantId), headShape)) ?? emptyHead,
    /** A document and its collection, with the revision of the last write or deletion of the document. */
    find: async (tenantId: string, id: string): Promise<Versioned<Lookup>> => {
      // The head is read first. A change after this read also changes the head, so the conditional write of the head fails.
      const head = await readVersioned(table, headKey(tenantId), headShape);
      const current = await readVersioned(table, documentKey(tenantId, id), shape);
      const deleted = current === null ? await readVersioned(table, tombstoneKey(tenantId, id), shape) : null;
      return {
        document: {
          current: current?.document ?? null,
          deleted: deleted?.document ?? null,
          head: head?.document ?? emptyHead,
          expectedRevisions: { document: current?.revision ?? null, head: head?.revision ?? null },
        },
        revision: current?.revision ?? deleted?.revision ?? NO_REVISION,
      };
    },
    /** Writes a document on the condition that it is unchanged since the lookup. */
    put: (tenantId: string, document: Document, expectedRevision: Revision | null, by: Revision): Write =>
      writeDocument(table, documentKey(tenantId, document.id), document, { expectedRevision, by }),
    putHead,
    /** Deletes a document and writes the new head. `now` is epoch milliseconds. */
    remove: (
      tenantId: string,
      document: Document,
      {
        head,
        lookup,
        by,
        now,
      }: { readonly head: Head; readonly lookup: Lookup; readonly by: Revision; readonly now: number },
    ): readonly Write[] => [
      deleteDocument(table, documentKey(tenantId, document.id)),
      // Written once only, so that two concurrent deletions do not decrease the count twice.
      writeDocument(table, tombstoneKey(tenantId, document.id), document, {
        expectedRevision: null,
        by,
        ttl: Math.ceil(now / 1_000) + TOMBSTONE_TTL_SECONDS,
      }),
      putHead(tenantId, head, lookup, by),
    ],
  };
};
