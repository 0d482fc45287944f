import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { EventData } from '../../schemas/events.ts';
import type { AttributionDetail } from '../../schemas/routes/attribution.ts';
import type { overrideAttribution } from '../../schemas/routes/corrections.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { createEvent } from '../events/createEvent.ts';
import type { Call } from '../http/operation.ts';
import { type Reply, reply } from '../http/reply.ts';
import type { Attribution } from '../ledger/attribution.ts';
import { recordPartitionOf } from '../ledger/ledgerKey.ts';
import { deterministicUlid } from '../shared/ids.ts';
import { updateWithRetry } from '../shared/optimisticUpdate.ts';
import { orUnavailable } from '../shared/problem.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import { requireResidency } from '../tenancy/residency.ts';

type CorrectionCall = Pick<
  Call<typeof overrideAttribution>,
  'parameters' | 'caller' | 'receivedAt' | 'claim' | 'auditContext' | 'stores'
>;

interface Correction<Type extends 'attribution.override.applied' | 'attribution.disputed'> {
  /** The event that tells of it. */
  readonly type: Type;
  /** What becomes of the record as it stands, from an instant on (epoch milliseconds); may refuse. */
  readonly apply: (current: Attribution, at: number) => Attribution;
  readonly data: (corrected: AttributionRecord, before: AttributionRecord) => EventData<Type>;
}

/**
 * Writes the next version of the record a call names, with its audit entry and its event, all or none: on top of
 * what others correct at the same time, and once however often the call is tried. Answers with that version.
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
    // Before it is written: a caller may never try again what crashed behind its write.
    await stores.mark(tenant.tenant_id, [timeOfUlid(ulid)], { isAhead: true });
    await updateWithRetry(
      claim,
      () => stores.corrections.find(tenant.tenant_id, key, claim.claim),
      ({ document: found }) => {
        result = found.ownVersion ?? undefined;
        if (result !== undefined) return null;
        const { attribution: current, validity } = found.newest;
        requireResidency(current.record, caller);
        // A version begins behind the one it ends, whatever the clocks of those who made them, and when it is written:
        // a call may have arrived long before the attempt that goes through.
        result = apply(current, Math.max(receivedAt, found.readAt, validity.from + 1));
        const { record } = result;
        const event = createEvent(
          type,
          data(record, current.record),
          { ulid: deterministicUlid(type, claim.claim, receivedAt), at: receivedAt, tenant },
          record.interpretation,
        );
        return [
          ...stores.corrections.appendVersion(key, found, result, claim),
          stores.outbox.raise(event),
          stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: record.id })),
        ];
      },
    );
  });
  if (result === undefined) throw new Error('a correction always has a result');
  const detail: AttributionDetail = { ...result.record, explanation: result.explanation };
  return reply(201, detail, { location: `/v1/attribution/${detail.id}` });
};
