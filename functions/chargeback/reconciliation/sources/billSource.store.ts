import * as z from 'zod';
import { BillProvider } from '../../../../schemas/chargeback/billSourceHealth.ts';
import { BILL_SOURCES_MAXIMUM } from '../../../../schemas/chargeback/billSources.ts';
import {
  type CountedCollection,
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

export type BillSourceWriter = CountedCollection<StoredBillSource, Accounts>;

export const billSourceWriter = (table: string): BillSourceWriter =>
  countedCollection(table, {
    prefix: 'source',
    name: 'sources',
    shape: StoredBillSource,
    headShape: Accounts,
    emptyHead: { accounts: [] },
    countOf: ({ accounts }) => accounts.length,
    nextHead: (head, before, after) => {
      if (before !== null && after !== null) return head;
      const others = head.accounts.filter(({ id }) => id !== before?.id);
      if (after === null) return { accounts: others };
      const { id, provider, account } = after;
      return { accounts: [...others, { id, provider, account }] };
    },
  });

export interface BillSourceReader {
  readonly source: (tenantId: string, ulid: string) => Promise<StoredBillSource | null>;
  /** In the order of creation. */
  readonly sources: (tenantId: string, range: DocumentRange) => Promise<StoredBillSource[]>;
}

export const billSourceReader = (table: string): BillSourceReader => {
  const { read, list } = billSourceWriter(table);
  return { source: read, sources: list };
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
  const collection = billSourceWriter(table);
  return {
    all: (tenantId) => collection.list(tenantId, { descending: false, limit: BILL_SOURCES_MAXIMUM }),
    versioned: collection.versioned,
    replace: collection.put,
  };
};
