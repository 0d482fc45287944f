import { HOUR_MS } from '../../../schemas/durations.ts';
import { AuditEntry } from '../../../schemas/identity/audit.ts';
import {
  type DocumentRange,
  listDocuments,
  NO_REVISION,
  putDocument,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { type Month, monthOf } from '../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';

/** One partition per tenant and month limits its size, and queries read only the months of their period. */
const partitionOf = (tenantId: string, month: Month): string => `${tenantId}#${month}`;

export interface AuditLog {
  /**
   * The write of an entry. Commit it in one transaction with the recorded effect, so that neither exists without the
   * other. The id of an entry is deterministic, so a retry writes the same entry again.
   */
  readonly append: (tenantId: string, entry: AuditEntry) => Write;
  /** As `append`. The commit fails if there is an entry with this id, which then stays as it is. */
  readonly appendOnce: (tenantId: string, entry: AuditEntry) => Write;
  /**
   * The write that admits one entry about equal calls, which have one name, in each hour of the clock. Commit it with the
   * entry of a call at `at` (epoch milliseconds). The commit fails if the hour has one.
   */
  readonly admitHourly: (tenantId: string, name: string, at: number) => Write;
}

const keyOf = (tenantId: string, entry: AuditEntry) => {
  const ulid = ulidInId(entry.id);
  return { pk: partitionOf(tenantId, monthOf(timeOfUlid(ulid))), sk: ulid };
};

export const auditLog = (table: string): AuditLog => ({
  append: (tenantId, entry) => putDocument(table, keyOf(tenantId, entry), entry),
  appendOnce: (tenantId, entry) =>
    writeDocument(table, keyOf(tenantId, entry), entry, { expectedRevision: null, by: NO_REVISION }),
  admitHourly: (tenantId, name, at) => ({
    Put: {
      TableName: table,
      // Beside the months, which alone are read.
      Item: { pk: { S: `${tenantId}#hourly` }, sk: { S: name }, at: { N: String(at) } },
      ConditionExpression: 'attribute_not_exists(pk) OR NOT #at BETWEEN :hour AND :end',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: {
        ':hour': { N: String(at - (at % HOUR_MS)) },
        ':end': { N: String(at - (at % HOUR_MS) + HOUR_MS - 1) },
      },
    },
  }),
});

export interface AuditReader {
  /** Entries of one month by ULID. `after` is the ULID of an entry, or a prefix of a ULID. */
  readonly month: (tenantId: string, month: Month, range: DocumentRange) => Promise<AuditEntry[]>;
}

export const auditReader = (table: string): AuditReader => ({
  month: (tenantId, month, range) => listDocuments(table, partitionOf(tenantId, month), range, AuditEntry),
});
