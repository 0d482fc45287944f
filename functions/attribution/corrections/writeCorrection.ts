import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { EventData } from '../../../schemas/events.ts';
import type { AuditLog } from '../../identity/audit/audit.store.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { recordPartitionOf } from '../../ledger/records/ledgerKey.ts';
import type { RecordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import type { MarkDirty } from '../../ledger/rollups/markDirty.ts';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import type { Revision } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

export interface CorrectionStores {
  readonly corrections: RecordVersionStore;
  readonly mark: MarkDirty;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
}

/** Who corrects which record. */
export interface CorrectionContext {
  readonly tenant: Tenant;
  /** ULID of the record. */
  readonly ulid: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly claim: Revision;
  readonly auditContext: AuditContext;
  readonly stores: CorrectionStores;
  /** Throws a ProblemError if the record may not be corrected. */
  readonly authorize: (record: AttributionRecord) => void;
}

export type CorrectionEvent = 'attribution.override.applied' | 'attribution.disputed';

export interface Correction<Type extends CorrectionEvent> {
  /** Type of the event that is raised. */
  readonly type: Type;
  /** Returns the next version of the record, valid from `at` (epoch milliseconds). May throw a ProblemError. */
  readonly apply: (current: Attribution, at: number) => Attribution;
  readonly data: (corrected: AttributionRecord, before: AttributionRecord) => EventData<Type>;
}

/**
 * Writes the next version of a record, with its audit entry and its event, in one transaction. Retries after concurrent
 * corrections. Idempotent: a retry of the call writes no second version. Resolves to the version. Throws NOT_FOUND, what
 * `authorize` and `apply` throw, or SERVICE_UNAVAILABLE after too many conflicts.
 */
export const writeCorrection = async <Type extends CorrectionEvent>(
  { tenant, ulid, receivedAt, claim, auditContext, stores, authorize }: CorrectionContext,
  { type, apply, data }: Correction<Type>,
): Promise<Attribution> => {
  const key = { partition: recordPartitionOf(tenant, ulid), ulid };
  let result: Attribution | undefined;
  // Before the write: after a crash behind the write, the caller may never retry, and the rollups would stay outdated.
  await stores.mark(tenant.tenant_id, [timeOfUlid(ulid)], { isAhead: true });
  await updateWithRetry(
    claim,
    () => stores.corrections.find(tenant.tenant_id, key, claim.claim),
    async ({ document: current }) => {
      const { attribution: previous, validity } = current.newest;
      // Also on a retry, which can come from another credential than the first attempt.
      authorize(previous.record);
      result = current.ownVersion ?? undefined;
      if (result !== undefined) return null;
      // A version starts after the one it replaces, even when the clocks of the writers differ. It starts at the time
      // of the write, because the call may have arrived long before the attempt that succeeds. Its place does not depend
      // on the time, and is logged before.
      const draft = apply(previous, Math.max(receivedAt, current.readAt, validity.from + 1));
      const announcedAt = await stores.corrections.announce(key, draft);
      result = apply(previous, Math.max(receivedAt, announcedAt, validity.from + 1));
      const { record } = result;
      const event = createEvent(
        type,
        data(record, previous.record),
        { ulid: deterministicUlid(type, claim.claim, receivedAt), at: receivedAt, tenant },
        record.interpretation,
      );
      return [
        ...stores.corrections.appendVersion(key, current, result, claim),
        stores.outbox.raise(event),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: record.id })),
      ];
    },
  );
  if (result === undefined) throw new Error('the correction has no result');
  return result;
};
