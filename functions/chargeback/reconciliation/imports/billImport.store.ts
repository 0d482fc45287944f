import { DAY_MS } from '../../../../schemas/durations.ts';
import {
  type DocumentRange,
  listDocuments,
  putDocument,
  readDocument,
  type Write,
} from '../../../platform/shared/aws/document.store.ts';
import { BILL_RETENTION_SECONDS } from '../bill.store.ts';
import { StoredImport } from './billImport.ts';

const partitionOf = (tenantId: string): string => `${tenantId}#imports`;

/** Sort key: the last billed day, then what tells imports of the same day apart. */
export const importKeyOf = ({ to, ref }: Pick<StoredImport, 'to' | 'ref'>): string => `${to}#${ref}`;

export interface BillImportReader {
  /** The imports of a tenant in the order of {@link importKeyOf}. */
  readonly imports: (tenantId: string, range: DocumentRange) => Promise<StoredImport[]>;
}

export const billImportReader = (table: string): BillImportReader => ({
  imports: (tenantId, range) => listDocuments(table, partitionOf(tenantId), range, StoredImport),
});

export interface BillImportWriter {
  readonly find: (tenantId: string, key: Pick<StoredImport, 'to' | 'ref'>) => Promise<StoredImport | null>;
  readonly put: (tenantId: string, entry: StoredImport) => Write;
}

export const billImportWriter = (table: string): BillImportWriter => {
  const keyOf = (tenantId: string, key: Pick<StoredImport, 'to' | 'ref'>) => ({
    pk: partitionOf(tenantId),
    sk: importKeyOf(key),
  });
  return {
    find: (tenantId, key) => readDocument(table, keyOf(tenantId, key), StoredImport),
    put: (tenantId, entry) =>
      putDocument(table, keyOf(tenantId, entry), entry, {
        ttl: (Date.parse(entry.to) - DAY_MS) / 1_000 + BILL_RETENTION_SECONDS,
      }),
  };
};
