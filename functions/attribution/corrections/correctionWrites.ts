import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { EventData } from '../../../schemas/delivery/events.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { recordPartitionOf } from '../../ledger/records/ledgerKey.ts';
import type { RecordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import type { MarkDirty } from '../../ledger/rollups/marks/markDirty.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import type { Revision } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Change } from '../../platform/shared/retry/optimisticUpdate.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

export interface CorrectionStores {
  readonly corrections: RecordVersionStore;
  readonly mark: MarkDirty;
  readonly outbox: Outbox;
}

/** Who corrects which record. */
export interface CorrectionContext {
  readonly tenant: Tenant;
  /** ULID of the record. */
  readonly ulid: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly claim: Revision;
  readonly stores: CorrectionStores;
  /** Throws a ProblemError if the record may not be corrected. */
  readonly authorize: (record: AttributionRecord) => void;
}

export type CorrectionEvent = 'attribution.override.applied' | 'attribution.disputed';

export interface Correction<Type extends CorrectionEvent> {
  /** Returns the next version of the record, valid from `at` (epoch milliseconds). May throw a ProblemError. */
  readonly apply: (current: Attribution, at: number) => Attribution;
  /** The event that is raised, besides that of the version itself. */
  readonly event?: {
    readonly type: Type;
    readonly data: (corrected: AttributionRecord, before: AttributionRecord) => EventData<Type>;
  };
}

/**
 * The writes of the next version of a record with its event, to be committed in one transaction, once. They fail if another
 * writer adds a version first. Throws NOT_FOUND, and what `authorize` and `apply` throw.
 */
export const correctionWrites = async <Type extends CorrectionEvent>(
  { tenant, ulid, receivedAt, claim, stores, authorize }: CorrectionContext,
  { apply, event }: Correction<Type>,
): Promise<Change<Attribution> & { readonly before: AttributionRecord }> => {
  const key = { partition: recordPartitionOf(tenant, ulid), ulid };
  // Before the write: after a crash behind the write, the caller may never retry, and the rollups would stay outdated.
  await stores.mark(tenant.tenant_id, [timeOfUlid(ulid)], { isAhead: true });
  const current = await stores.corrections.find(tenant.tenant_id, key);
  if (current === null) throw new ProblemError('NOT_FOUND', 'There is no such record.');
  const { attribution: previous, validity } = current.newest;
  authorize(previous.record);
  // A version starts after the one it replaces, even when the clocks of the writers differ. It starts at the time of the
  // write, because the call may have arrived long before the attempt that succeeds. Its place does not depend on the time,
  // and is logged before.
  const draft = apply(previous, Math.max(receivedAt, current.readAt, validity.from + 1));
  const announcedAt = await stores.corrections.announce(key, draft);
  const result = apply(previous, Math.max(receivedAt, announcedAt, validity.from + 1));
  const version = stores.corrections.appendVersion(key, current, result, claim);
  if (event === undefined) return { writes: version, result, before: previous.record };
  const { type, data } = event;
  const raised = createEvent(
    type,
    data(result.record, previous.record),
    { ulid: deterministicUlid(type, claim.claim, receivedAt), at: receivedAt, tenant },
    result.record.interpretation,
  );
  return { writes: [...version, stores.outbox.raise(raised)], result, before: previous.record };
};
