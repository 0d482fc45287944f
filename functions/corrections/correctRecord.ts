import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { EventData } from '../../schemas/events.ts';
import type { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import type { overrideAttribution } from '../../schemas/routes/attribution/corrections.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { createEvent } from '../events/createEvent.ts';
import type { Call } from '../http/operation.ts';
import { type Reply, reply } from '../http/reply.ts';
import type { Attribution } from '../ledger/attribution.ts';
import { recordPartitionOf } from '../ledger/ledgerKey.ts';
import { deterministicUlid } from '../shared/ids.ts';
import { orUnavailable } from '../shared/problem.ts';
import { updateWithRetry } from '../shared/retry/optimisticUpdate.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import { requireResidency } from '../tenancy/residency.ts';

type CorrectionCall = Pick<
  Call<typeof overrideAttribution>,
  'parameters' | 'caller' | 'receivedAt' | 'claim' | 'auditContext' | 'stores'
>;

interface Correction<Type extends 'attribution.override.applied' | 'attribution.disputed'> {
  /** Type of the event that is raised. */
  readonly type: Type;
  /** Returns the next version of the record, valid from `at` (epoch milliseconds). May throw a ProblemError. */
  readonly apply: (current: Attribution, at: number) => Attribution;
  readonly data: (corrected: AttributionRecord, before: AttributionRecord) => EventData<Type>;
}

/**
 * Writes the next version of the record that a call names, with its audit entry and its event, in one transaction. Retries
 * after concurrent corrections. Idempotent: a retry of the call writes no second version. Responds with the version.
 * Throws NOT_FOUND, RESIDENCY_BLOCKED, or SERVICE_UNAVAILABLE after too many conflicts.
 */
export const correctRecord = async <Type extends 'attribution.override.applied' | 'attribution.disputed'>(
  { parameters, caller, receivedAt, claim, auditContext, stores }: CorrectionCall,
  { type, apply, data }: Correction<Type>,
): Promise<Reply> => {
  const { tenant } = caller;
  const ulid = parameters['id'] ?? '';
  const key = { partition: recordPartitionOf(tenant, ulid), ulid };
  let result: Attribution | undefined;

  await orUnavailable(async () => {
    // Before the write: after a crash behind the write, the caller may never retry, and the rollups would stay outdated.
    await stores.mark(tenant.tenant_id, [timeOfUlid(ulid)], { isAhead: true });
    await updateWithRetry(
      claim,
      () => stores.corrections.find(tenant.tenant_id, key, claim.claim),
      async ({ document: current }) => {
        const { attribution: previous, validity } = current.newest;
        // Also on a retry, which can come from another credential than the first attempt.
        requireResidency(previous.record, caller);
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
  });
  if (result === undefined) throw new Error('the correction has no result');
  const detail: AttributionDetail = { ...result.record, explanation: result.explanation };
  return reply(201, detail, { location: `/v1/attribution/${detail.id}` });
};
