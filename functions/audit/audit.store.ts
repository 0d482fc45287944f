import { AuditEntry } from '../../schemas/access/audit.ts';
import { type DocumentRange, listDocuments, putDocument, type Write } from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { type Month, monthOf } from '../shared/month.ts';
import { timeOfUlid } from '../shared/ulid.ts';

/** One partition per tenant and month limits its size, and queries read only the months of their period. */
const partitionOf = (tenantId: string, month: Month): string => `${tenantId}#${month}`;

export interface AuditLog {
  /**
   * The write of an entry. Commit it in one transaction with the recorded effect, so that neither exists without the
   * other. The id of an entry is deterministic, so a retry writes the same entry again.
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
  /** Entries of one month by ULID. `after` is the ULID of an entry, or a prefix of a ULID. */
  readonly month: (tenantId: string, month: Month, range: DocumentRange) => Promise<AuditEntry[]>;
}

export const auditReader = (table: string): AuditReader => ({
  month: (tenantId, month, range) => listDocuments(table, partitionOf(tenantId, month), range, AuditEntry),
});
