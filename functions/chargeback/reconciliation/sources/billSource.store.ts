import * as z from 'zod';
import { BillProvider } from '../../../../schemas/billSourceHealth.ts';
import { BILL_SOURCES_MAXIMUM } from '../../../../schemas/billSources.ts';
import {
  type CollectionLookup,
  countedCollection,
} from '../../../platform/shared/aws/countedCollection.store.ts';
import type {
  DocumentRange,
  Revision,
  Versioned,
  Write,
} from '../../../platform/shared/aws/document.store.ts';
import { StoredBillSource } from './billSource.ts';

/** The accounts of all sources of a tenant, so that their number and their uniqueness are checked atomically. */
const Accounts = z.object({
  accounts: z.array(z.object({ id: z.string(), provider: BillProvider, account: z.string().nullable() })),
});
type Accounts = z.infer<typeof Accounts>;

const sourceCollection = (table: string) =>
  countedCollection(
    table,
    { prefix: 'source', name: 'sources' },
    { shape: StoredBillSource, headShape: Accounts, emptyHead: { accounts: [] } },
  );

export interface BillSourceReader {
  readonly source: (tenantId: string, ulid: string) => Promise<StoredBillSource | null>;
  /** In the order of creation. */
  readonly sources: (tenantId: string, range: DocumentRange) => Promise<StoredBillSource[]>;
}

export const billSourceReader = (table: string): BillSourceReader => {
  const { read, list } = sourceCollection(table);
  return { source: read, sources: list };
};

/** What a change of a source depends on. */
export type BillSourceLookup = CollectionLookup<StoredBillSource, Accounts>;

export interface BillSourceWriter {
  /** Reads a source and its collection, with the revision of the last write or deletion of the source. */
  readonly find: (tenantId: string, ulid: string) => Promise<Versioned<BillSourceLookup>>;
  readonly create: (
    tenantId: string,
    source: StoredBillSource,
    lookup: BillSourceLookup,
    by: Revision,
  ) => readonly Write[];
  readonly replace: (
    tenantId: string,
    source: StoredBillSource,
    lookup: BillSourceLookup,
    by: Revision,
  ) => Write;
  /** The writes that delete a source with its credential. `now` is epoch milliseconds. */
  readonly remove: (
    tenantId: string,
    source: StoredBillSource,
    lookup: BillSourceLookup,
    at: { readonly by: Revision; readonly now: number },
  ) => readonly Write[];
}

export const billSourceWriter = (table: string): BillSourceWriter => {
  const collection = sourceCollection(table);
  return {
    find: collection.find,
    create: (tenantId, source, lookup, by) => {
      const { id, provider, account } = source;
      const accounts = [...lookup.head.accounts, { id, provider, account }];
      return [
        collection.put(tenantId, source, lookup.expectedRevisions.document, by),
        collection.putHead(tenantId, { accounts }, lookup, by),
      ];
    },
    replace: (tenantId, source, { expectedRevisions }, by) =>
      collection.put(tenantId, source, expectedRevisions.document, by),
    remove: (tenantId, source, lookup, at) =>
      // The tombstone is kept for two days and must not hold the credential.
      collection.remove(
        tenantId,
        { ...source, sealed_credential: '' },
        {
          head: { accounts: lookup.head.accounts.filter(({ id }) => id !== source.id) },
          lookup,
          ...at,
        },
      ),
  };
};

/** Access to sources for their imports. */
export interface ImportedSources {
  readonly all: (tenantId: string) => Promise<StoredBillSource[]>;
  readonly versioned: (tenantId: string, id: string) => Promise<Versioned<StoredBillSource> | null>;
  /** The write fails when the source has changed since it was read, or was deleted. */
  readonly replace: (
    tenantId: string,
    source: StoredBillSource,
    expectedRevision: Revision,
    by: Revision,
  ) => Write;
}

export const importedSources = (table: string): ImportedSources => {
  const collection = sourceCollection(table);
  return {
    all: (tenantId) => collection.list(tenantId, { descending: false, limit: BILL_SOURCES_MAXIMUM }),
    versioned: collection.versioned,
    replace: collection.put,
  };
};
