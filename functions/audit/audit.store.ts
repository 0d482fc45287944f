import { AuditEntry } from '../../schemas/access/audit.ts';
import { type DocumentRange, listDocuments, putDocument, type Write } from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { type Month, monthOf } from '../shared/month.ts';
import { timeOfUlid } from '../shared/ulid.ts';

/** Months bound a partition, and let a reader of one period leave the others alone. */
const partitionOf = (tenantId: string, month: Month): string => `${tenantId}#${month}`;

export interface AuditLog {
  /**
   * The write that adds an entry, to be committed with what the entry tells of: neither exists without the other.
   * An entry's id follows from its cause, so a retry writes the same entry again.
   */
  readonly append: (tenantId: string, entry: AuditEntry) => Write;
}

export const auditLog = (table: string): AuditLog => ({
  append: (tenantId, entry) => {
    const ulid = ulidInId(entry.id);
    return putDocument(table, { pk: partitionOf(tenantId, monthOf(timeOfUlid(ulid))), sk: ulid }, entry);
  },
});

export interface AuditReader {
  /** Entries of one month in the order of their ULIDs; `after` is one of them, or the beginning of one. */
  readonly month: (tenantId: string, month: Month, range: DocumentRange) => Promise<AuditEntry[]>;
}

export const auditReader = (table: string): AuditReader => ({
  month: (tenantId, month, range) => listDocuments(table, partitionOf(tenantId, month), range, AuditEntry),
});
