import * as z from 'zod';
import { ulidInId } from '../ids.ts';
import {
  type DocumentRange,
  deleteDocument,
  listReadable,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from './document.store.ts';

/** A document and its collection, as a change read them. */
export interface CollectionLookup<Document, Head> {
  /** Null when there is none. */
  readonly current: Document | null;
  /** What the documents of the tenant have in common, such as their count. */
  readonly head: Head;
  readonly expectedRevisions: { readonly document: Revision | null; readonly head: Revision | null };
}

/** Where a collection is stored, and what its head holds. */
export interface CollectionShape<Document, Head> {
  /** The documents of a tenant have the partition key `<prefix>#<tenant>`. */
  readonly prefix: string;
  /** The sort key of the head. */
  readonly name: string;
  readonly shape: z.ZodType<Document>;
  readonly headShape: z.ZodType<Head>;
  readonly emptyHead: Head;
  /** How many documents a head counts. */
  readonly countOf: (head: Head) => number;
  /** The head after a change from one document to another. Null: there was none, or it is deleted. The same head: none. */
  readonly nextHead: (head: Head, before: Document | null, after: Document | null) => Head;
}

const Count = z.object({ count: z.int() });
export type Count = z.infer<typeof Count>;

const presence = (document: unknown): number => (document === null ? 0 : 1);

/** A head that only counts. */
export const headWithCount = {
  headShape: Count,
  emptyHead: { count: 0 },
  countOf: ({ count }: Count): number => count,
  nextHead: (head: Count, before: unknown, after: unknown): Count => {
    const change = presence(after) - presence(before);
    return change === 0 ? head : { count: head.count + change };
  },
};

/** A bounded collection of documents of each tenant. */
export interface CountedCollection<Document, Head> {
  /** `id` is the id of a document, or the ULID at its end. */
  readonly read: (tenantId: string, id: string) => Promise<Document | null>;
  readonly versioned: (tenantId: string, id: string) => Promise<Versioned<Document> | null>;
  /** In the order of creation. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<Document[]>;
  readonly head: (tenantId: string) => Promise<Head>;
  /** The last change of the collection. No two have the same, also after a restore. Null before the first. */
  readonly headRevision: (tenantId: string) => Promise<Revision | null>;
  readonly countOf: (head: Head) => number;
  readonly find: (tenantId: string, id: string) => Promise<CollectionLookup<Document, Head>>;
  /** The write of a document on the condition that it has not changed since `expectedRevision`. */
  readonly put: (tenantId: string, document: Document, expectedRevision: Revision, by: Revision) => Write;
  /** The writes from the document of a lookup to `next`: they create, replace or, with null, delete it. */
  readonly change: (
    tenantId: string,
    lookup: CollectionLookup<Document, Head>,
    next: Document | null,
    by: Revision,
  ) => readonly Write[];
}

/**
 * A collection with a head that every creation and deletion also writes. Two of them at the same time conflict on the head,
 * so its count is exact.
 */
export const countedCollection = <Document extends { readonly id: string }, Head extends object>(
  table: string,
  { prefix, name, shape, headShape, emptyHead, countOf, nextHead }: CollectionShape<Document, Head>,
): CountedCollection<Document, Head> => {
  const partitionOf = (tenantId: string): string => `${prefix}#${tenantId}`;
  const documentKey = (tenantId: string, id: string) => ({ pk: partitionOf(tenantId), sk: ulidInId(id) });
  const headKey = (tenantId: string) => ({ pk: `head#${tenantId}`, sk: name });

  const put = (
    tenantId: string,
    document: Document,
    expectedRevision: Revision | null,
    by: Revision,
  ): Write => writeDocument(table, documentKey(tenantId, document.id), document, { expectedRevision, by });
  const change: CountedCollection<Document, Head>['change'] = (tenantId, lookup, next, by) => {
    const { current, head, expectedRevisions } = lookup;
    const newHead = nextHead(head, current, next);
    return [
      ...(next === null ? [] : [put(tenantId, next, expectedRevisions.document, by)]),
      ...(next === null && current !== null
        ? [deleteDocument(table, documentKey(tenantId, current.id))]
        : []),
      ...(newHead === head
        ? []
        : [
            writeDocument(table, headKey(tenantId), newHead, {
              expectedRevision: expectedRevisions.head,
              by,
            }),
          ]),
    ];
  };

  return {
    read: (tenantId, id) => readDocument(table, documentKey(tenantId, id), shape),
    versioned: (tenantId, id) => readVersioned(table, documentKey(tenantId, id), shape),
    list: (tenantId, range) => listReadable(table, partitionOf(tenantId), range, shape),
    head: async (tenantId) => (await readDocument(table, headKey(tenantId), headShape)) ?? emptyHead,
    headRevision: async (tenantId) =>
      (await readVersioned(table, headKey(tenantId), headShape))?.revision ?? null,
    countOf,
    find: async (tenantId, id) => {
      // The head is read first. A change after this read also changes the head, so the conditional write of the head fails.
      const head = await readVersioned(table, headKey(tenantId), headShape);
      const current = await readVersioned(table, documentKey(tenantId, id), shape);
      return {
        current: current?.document ?? null,
        head: head?.document ?? emptyHead,
        expectedRevisions: { document: current?.revision ?? null, head: head?.revision ?? null },
      };
    },
    put,
    change,
  };
};
