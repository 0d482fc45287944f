import { StoredClosings } from '../../../schemas/chargeback/periods.ts';
import {
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import type { Closings } from './closings.ts';

const keyOf = (tenantId: string) => ({ pk: `${tenantId}#closings`, sk: 'closings' });

export interface ClosingReader {
  /** In the order of their months. */
  readonly list: (tenantId: string) => Promise<Closings>;
}

export interface ClosingStore {
  readonly find: (tenantId: string) => Promise<Versioned<StoredClosings> | null>;
  /** All closes are one document: a close and a reopening of two months cannot both succeed. */
  readonly put: (
    tenantId: string,
    closings: Closings,
    options: { readonly expectedRevision: Revision | null; readonly by: Revision },
  ) => Write;
}

const find = (table: string, tenantId: string) => readVersioned(table, keyOf(tenantId), StoredClosings);

export const closingReader = (table: string): ClosingReader => ({
  list: async (tenantId) => (await find(table, tenantId))?.document.closings ?? [],
});

export const closingStore = (table: string): ClosingStore => ({
  find: (tenantId) => find(table, tenantId),
  put: (tenantId, closings, options) => writeDocument(table, keyOf(tenantId), { closings }, options),
});
