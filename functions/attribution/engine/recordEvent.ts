import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { contentHash } from '../../ingest/events/contentHash.ts';
import { occurredAtOf } from '../../ingest/events/eventTimes.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import type { DedupClaimStore } from '../../ledger/records/dedupClaim.store.ts';
import type { LedgerWriter } from '../../ledger/records/ledger.store.ts';
import { recordPartitionOf, shardBitsOf, versionKeyOf } from '../../ledger/records/ledgerKey.ts';
import type { ShardBitsControl } from '../../ledger/records/shardBitsControl.ts';
import type { MarkDirty } from '../../ledger/rollups/markDirty.ts';
import { invocationUlid, recordUlid } from '../../platform/shared/ids.ts';
import { measure } from '../../platform/shared/metrics.ts';
import { monthOf } from '../../platform/shared/time/month.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';
import { attribute, type TenantAttributionContext } from './attribute.ts';
import { observerOf } from './mergeObservation.ts';
import { recordObservation } from './recordObservation.ts';
import type { IsRaised } from './recordSubscription.ts';
import type { Revise } from './revise.ts';
import type { CorrelateSpan } from './traceCorrelation.ts';

/** The attribution of an event threw. A retry would fail again, so the event must go to the dead-letter queue. */
export class AttributionFault extends Error {
  override readonly name = 'AttributionFault';
}

/** Arrival time of an event (epoch milliseconds), and the lane its credential is bound to, if any. */
export interface Arrival {
  readonly receivedAt: number;
  readonly residency: string | null;
}

/**
 * `same_arrival`: a record of an event with this arrival time exists, so the queue probably delivered a message again.
 * `merged`: the record has a new version with the evidence of this observer. `no_call`: a stored response was read whose
 * call was not reported.
 */
export type RecordOutcome =
  | 'recorded'
  | 'merged'
  | 'same_arrival'
  | 'duplicate'
  | 'duplicate_mismatch'
  | 'no_call';

/**
 * Writes exactly one record for an event, despite crashes and duplicate deliveries:
 *
 *   claim (event id → first content and times) ──► span ──► month ──► record, under a key that follows from the claim
 *                                                                       └─► new versions of other spans of the trace
 *
 * A crash between the writes leaves a claim without a record. The next delivery of the same content completes it.
 * Another content of the same observer (capture layer and source system) adds what the first one left out, such as usage
 * that comes later. Otherwise it is counted and changes nothing. Another observer
 * of the same lane claims its observation. Whoever comes first writes the record, and all others merge into it.
 * Throws AttributionFault when the attribution fails.
 */
export const eventRecorder = (stores: {
  readonly claims: DedupClaimStore;
  readonly ledger: LedgerWriter;
  readonly shardBits: Pick<ShardBitsControl, 'current' | 'raisingWhenThrottled'>;
  readonly correlateSpan: CorrelateSpan;
  readonly revise: Revise;
  /** Marks the rollups that contain the record for recomputation. */
  readonly mark: MarkDirty;
  readonly isRaised: IsRaised;
  /** Whether a record is in the archive. The row of an old record may have left the ledger, so it says nothing. */
  readonly isArchived: (tenantId: string, ulid: string) => Promise<boolean>;
  readonly attributionContext: (tenant: Tenant) => Promise<TenantAttributionContext>;
}) => {
  const openMonths = new Set<string>();

  const openMonth = async (tenantId: string, month: string, shardBits: number): Promise<void> => {
    const key = `${tenantId}#${month}#${shardBits}`;
    if (openMonths.has(key)) return;
    await stores.ledger.openMonth(tenantId, month, shardBits);
    openMonths.add(key);
  };

  return async (event: InvocationEvent, arrival: Arrival, tenant: Tenant): Promise<RecordOutcome> => {
    const { receivedAt, residency } = arrival;
    const { tenant_id: tenantId } = tenant;
    const invocation = invocationUlid(tenantId, event.event_id);
    const occurredAt = occurredAtOf(event);
    const ownClaim = {
      occurredAt,
      receivedAt,
      contentHash: contentHash(event),
      record: recordUlid(tenantId, event.event_id, occurredAt, await stores.shardBits.current(tenantId)),
      observer: observerOf(event),
      lane: residency ?? homeLane(tenant),
    };
    // Only a call that was reported before can be completed.
    const retrieval = { observer: `${ownClaim.observer}~retrieval`, contentHash: ownClaim.contentHash };
    if (event.retrieval === true && !(await stores.claims.observe(tenantId, invocation, retrieval))) {
      return 'no_call';
    }
    const claim = await stores.claims.claim(tenantId, invocation, ownClaim);
    const isFirstContent =
      claim.contentHash === ownClaim.contentHash ||
      // It was written again from its record, so the content is unknown. An existing record does not change.
      (claim.contentHash === null && claim.observer === ownClaim.observer);
    const mayObserve = claim.observer !== ownClaim.observer && claim.lane === ownClaim.lane;
    const attributionContext = await stores.attributionContext(tenant);
    if (!isFirstContent && !(mayObserve && (await stores.claims.observe(tenantId, invocation, ownClaim)))) {
      const repeat = { event, ulid: claim.record, tenant, context: attributionContext, isRepeat: true };
      const mayComplete = claim.observer === ownClaim.observer && claim.lane === ownClaim.lane;
      if (mayComplete && (await recordObservation(stores.revise, repeat))) {
        await stores.mark(tenantId, [claim.occurredAt]);
        return 'merged';
      }
      await stores.claims.countMismatch(tenantId, invocation);
      return 'duplicate_mismatch';
    }
    // The number of shard bits may have changed since the claim, so a retry takes the key from the claim.
    const ulid = claim.record;
    const shardBits = shardBitsOf(ulid);
    const observer = claim.observer === ownClaim.observer ? undefined : ownClaim.observer;
    const correlation = await stores.correlateSpan(event, ulid, tenant, attributionContext, observer);
    const metadata = { ...claim, shardBits, residency: claim.lane };
    let attribution: Attribution;
    try {
      const context = { ...attributionContext, trace: correlation?.evidence ?? null };
      attribution = attribute(event, metadata, tenant, attributionContext.factors, context);
    } catch (error) {
      throw new AttributionFault('event attribution failed', { cause: error });
    }
    await openMonth(tenantId, monthOf(claim.occurredAt), shardBits);
    const partition = recordPartitionOf(tenant, ulid);
    const isKnown = claim !== ownClaim && (await stores.isArchived(tenantId, ulid));
    const item = { pk: partition, sk: versionKeyOf(ulid, attribution.record.version) };
    const isRaised = !isKnown && (await stores.isRaised(item, attribution));
    const added =
      !isKnown &&
      (await stores.shardBits.raisingWhenThrottled(tenantId, shardBits, () =>
        stores.ledger.add(partition, ulid, attribution, isRaised),
      ));
    const observation = { event, ulid, tenant, context: attributionContext };
    const isMerged = !added && (await recordObservation(stores.revise, observation));
    await correlation?.propagate(added);
    await stores.mark(tenantId, [claim.occurredAt]);
    if (isMerged) return 'merged';
    if (added) {
      if (attribution.record.owner === null) measure('unresolved');
      if (attribution.record.cost_usd === null) measure('unpriced');
      return 'recorded';
    }
    return claim.receivedAt === receivedAt ? 'same_arrival' : 'duplicate';
  };
};
