import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { AuditRejection } from '../../identity/audit/auditRejections.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import type { DedupClaimStore } from '../../ledger/records/dedup/dedupClaim.store.ts';
import { mayJoinRecords } from '../../ledger/records/dedup/statementPolicy.ts';
import type { LedgerWriter } from '../../ledger/records/ledger.store.ts';
import { RETENTION_MILLISECONDS } from '../../ledger/records/ledgerItem.ts';
import { recordPartitionOf, shardBitsOf, versionKeyOf } from '../../ledger/records/ledgerKey.ts';
import { shownProvenance } from '../../ledger/records/provenance.ts';
import type { ShardBitsControl } from '../../ledger/records/shards/shardBitsControl.ts';
import type { MarkDirty } from '../../ledger/rollups/marks/markDirty.ts';
import { memoizeAsync } from '../../platform/shared/caches/memoizeAsync.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { measure } from '../../platform/shared/metrics.ts';
import { monthOf } from '../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';
import { attribute, type TenantAttributionContext } from './attribute.ts';
import { type Arrival, claimCall, type Incoming, incomingCall, isRecordOf } from './incomingCall.ts';
import type { Observation } from './observations/statement.ts';
import { type ObservationOutcome, type ObservedRecord, recordObservation } from './recordObservation.ts';
import type { RecordOutcome } from './recordOutcome.ts';
import type { IsRaised } from './recordSubscription.ts';
import type { Revise } from './revise.ts';
import type { SameCallFinder } from './sameCall/sameCallFinder.ts';
import { supersede } from './supersede.ts';
import type { TraceCorrelator } from './trace/traceCorrelation.ts';

/** Most months of tenants that a process remembers as listed. */
const OPEN_MONTHS_CAPACITY = 10_000;

/** The attribution of an event threw. A retry would fail again, so the event must go to the dead-letter queue. */
export class AttributionFault extends Error {
  override readonly name = 'AttributionFault';
}

/**
 * Writes exactly one record for an event, despite crashes and duplicate deliveries:
 *
 *   claim (event id → first content and times) ──► span ──► month ──► record, under a key that follows from the claim
 *                                                                       └─► new versions of other spans of the trace
 *
 * The API may have written the claim before it queued the event (`keyOfEvent.ts`).
 * A crash between the writes leaves a claim without a record. The next delivery of the same content completes it, and that of
 * any content if the API had claimed it.
 * Another content of the same observer (credential, capture layer and source system) adds what the first one left out, such
 * as usage that comes later. Otherwise it is counted and changes nothing. Another observer of the same party claims its
 * observation. Whoever comes first writes the record, and all others merge into it.
 *
 * The tenant and each connector of a partner have claims of their own in each lane (`statementPolicy.ts`). A connector adds to
 * the record of the tenant what it may. If it came first, its record is superseded.
 * Throws AttributionFault when the attribution fails.
 */
export const eventRecorder = (stores: {
  readonly claims: DedupClaimStore;
  readonly ledger: LedgerWriter;
  readonly shardBits: Pick<ShardBitsControl, 'current' | 'raisingWhenThrottled'>;
  readonly correlateSpan: TraceCorrelator['correlateSpan'];
  readonly tellTrace: TraceCorrelator['tellTrace'];
  readonly revise: Revise;
  /** Marks the rollups that contain the record for recomputation. */
  readonly mark: MarkDirty;
  readonly isRaised: IsRaised;
  readonly auditRejection: AuditRejection;
  /** Finds other records of the call. */
  readonly sameCall: SameCallFinder;
  /** Whether a record is in the archive. The row of an old record may have left the ledger, so it says nothing. */
  readonly isArchived: (tenantId: string, ulid: string) => Promise<boolean>;
  readonly attributionContext: (tenant: Tenant) => Promise<TenantAttributionContext>;
}) => {
  const once = memoizeAsync<void>(OPEN_MONTHS_CAPACITY);
  /** An id may be given to another tenant after its first one was erased. */
  const openMonth = (
    { tenant_id: tenantId, created_at: createdAt }: Tenant,
    month: string,
    shardBits: number,
  ): Promise<void> =>
    once(`${tenantId}#${createdAt}#${month}#${shardBits}`, () =>
      stores.ledger.openMonth(tenantId, month, shardBits),
    );

  /**
   * Merges an observation into a record. The trace of the record learns of it, unless the observation is a span of this trace:
   * `correlated`. It learns of one that changes nothing too, because an earlier attempt may have stopped before that.
   */
  const observe = async (
    record: ObservedRecord,
    observation: Observation,
    correlated?: string,
  ): Promise<ObservationOutcome> => {
    const { outcome, known } = await recordObservation(stores.revise, record, observation);
    if (outcome === 'rejected' || known === null || known.record.trace_id === correlated) return outcome;
    await stores.tellTrace(record, known);
    return outcome;
  };
  const replaceRecord = async (record: ObservedRecord, connectorRecord: string): Promise<void> => {
    const observation = await supersede(stores.revise, record, connectorRecord);
    if (observation !== undefined) await observe(record, observation);
  };

  const mismatch = async ({ tenant, invocation }: Incoming): Promise<RecordOutcome> => {
    await stores.claims.countMismatch(tenant.tenant_id, invocation);
    return 'duplicate_mismatch';
  };

  const isMissing = async (tenant: Tenant, ulid: string): Promise<boolean> =>
    (await stores.revise(tenant, ulid, { claim: 'read', attempt: 1 }, () => null)) === 'missing';

  /** An observer reports a call again, with other content. Null if the call has no record yet. */
  const complete = async (incoming: Incoming, ulid: string): Promise<RecordOutcome | null> => {
    const { event, tenant, arrival } = incoming;
    const record = { ulid, tenant, context: await stores.attributionContext(tenant) };
    const repeat = { event, statedBy: arrival.statedBy, isRepeat: true };
    const outcome = await observe(record, repeat);
    if (outcome === 'missing') return null;
    if (outcome === 'revised' || outcome === 'contradicted') {
      await stores.mark(tenant.tenant_id, [timeOfUlid(ulid)]);
      return outcome === 'revised' ? 'merged' : outcome;
    }
    return mismatch(incoming);
  };

  /** A connector speaks about a call that the tenant has reported. */
  const observeForeign = async (
    incoming: Incoming,
    { ulid, superseded }: { readonly ulid: string; readonly superseded: string | undefined },
  ): Promise<RecordOutcome> => {
    const { event, arrival, tenant, invocation, ownClaim } = incoming;
    const { tenant_id: tenantId } = tenant;
    const notYet = () => new Error('the record of the tenant is not written yet');
    if (!(await stores.claims.observe(tenantId, invocation, ownClaim))) {
      const completed = await complete(incoming, ulid);
      if (completed === null) throw notYet();
      return completed;
    }
    const context = await stores.attributionContext(tenant);
    const record = { ulid, tenant, context };
    const { statedBy } = arrival;
    const outcome = await observe(record, { event, statedBy });
    if (outcome === 'missing') throw notYet();
    if (superseded !== undefined) await replaceRecord(record, superseded);
    await stores.mark(tenantId, [ulid, superseded ?? ulid].map(timeOfUlid));
    if (outcome !== 'rejected') return outcome === 'revised' ? 'merged' : 'duplicate';
    await stores.claims.countMismatch(tenantId, invocation, {
      stated_by: shownProvenance(statedBy),
      ingestion_layer: event.ingestion_layer,
      source_system: event.source_system ?? null,
    });
    await stores.auditRejection(tenant, {
      actor: { type: 'oauth_client', id: statedBy.id },
      resource: idOf('att', tenant.tag, ulid),
      at: arrival.receivedAt,
    });
    return 'rejected';
  };

  return async (event: InvocationEvent, arrival: Arrival, tenant: Tenant): Promise<RecordOutcome> => {
    const incoming = await incomingCall(event, arrival, tenant, stores.shardBits);
    const { invocation, ownClaim } = incoming;
    const { receivedAt, statedBy } = arrival;
    const { tenant_id: tenantId } = tenant;
    // Only a call that was reported before can be completed.
    const isRetrieval = event.retrieval === true;
    if (isRetrieval && !(await stores.claims.isReported(tenantId, invocation, ownClaim.party)))
      return 'no_call';
    const { own: claim, others, linked } = await claimCall(stores.claims, incoming);
    const tenantClaim = others.find(({ party }) => party === null);
    // The claim is written before its event is queued, so it does not show that the call was recorded.
    if (isRetrieval && (await isMissing(tenant, (tenantClaim ?? claim ?? ownClaim).record))) return 'no_call';
    if (claim === null || tenantClaim !== undefined) {
      if (tenantClaim === undefined) throw new Error('a claim was refused without a claim of the tenant');
      return observeForeign(incoming, { ulid: tenantClaim.record, superseded: claim?.record });
    }
    const isFirstContent =
      claim.contentHash === ownClaim.contentHash ||
      // It was written again from its record, so the content is unknown. An existing record does not change.
      (claim.contentHash === null && claim.observer === ownClaim.observer);
    const mayObserve = claim.observer !== ownClaim.observer;
    if (!isFirstContent && !(mayObserve && (await stores.claims.observe(tenantId, invocation, ownClaim)))) {
      const completed = await complete(incoming, claim.record);
      if (completed !== null) return completed;
      // The message of any other claim comes again. A record that has expired is not written again.
      const isExpired = receivedAt - claim.receivedAt >= RETENTION_MILLISECONDS;
      if (claim.isAhead !== true || isExpired) return mismatch(incoming);
    }
    // A call of which another content was claimed may have no record, because its event was never queued. So this one writes it.
    const isOwnReport = isFirstContent || !mayObserve;
    const attributionContext = await stores.attributionContext(tenant);
    // The number of shard bits may have changed since the claim, so a retry takes the key from the claim.
    const ulid = claim.record;
    const shardBits = shardBitsOf(ulid);
    const correlation = await stores.correlateSpan(event, ulid, tenant, attributionContext, {
      observer: isOwnReport && isRecordOf(incoming, ulid) ? undefined : ownClaim.observer,
      lane: claim.lane === homeLane(tenant) ? undefined : (claim.lane ?? undefined),
      connector: claim.party ?? undefined,
      credential: statedBy.id,
    });
    const metadata = {
      occurredAt: claim.occurredAt,
      receivedAt: claim.receivedAt,
      residency: claim.lane,
      record: ulid,
      invocation,
      statedBy,
    };
    let attribution: Attribution;
    try {
      const context = { ...attributionContext, trace: correlation?.evidence ?? null };
      attribution = attribute(event, metadata, tenant, attributionContext.factors, context);
    } catch (error) {
      throw new AttributionFault('event attribution failed', { cause: error });
    }
    await openMonth(tenant, monthOf(claim.occurredAt), shardBits);
    const partition = recordPartitionOf(tenant, ulid);
    const isKnown = claim !== ownClaim && (await stores.isArchived(tenantId, ulid));
    const item = { pk: partition, sk: versionKeyOf(ulid, attribution.record.version) };
    const isRaised = !isKnown && (await stores.isRaised(item, attribution));
    const added =
      !isKnown &&
      (await stores.shardBits.raisingWhenThrottled(tenantId, shardBits, () =>
        stores.ledger.add(partition, ulid, attribution, isRaised),
      ));
    const record = { ulid, tenant, context: attributionContext };
    const merged = added ? null : await observe(record, { event, statedBy }, event.trace_id);
    await correlation?.propagate(added);
    for (const other of others) if (claim.party === null) await replaceRecord(record, other.record);
    await stores.mark(
      tenantId,
      [claim, ...others].map(({ occurredAt }) => occurredAt),
    );
    const recorded = { tenant, context: attributionContext, event, ulid, lane: claim.lane };
    const records = [...new Set([ulid, ...linked])];
    if (records.length > 1) {
      await stores.sameCall.join(recorded, { records, basis: 'call_id', isAmbiguous: false });
    }
    if (mayJoinRecords(claim.party)) {
      if (correlation !== null) await stores.sameCall.completeUsage(recorded, await correlation.nested());
      await stores.sameCall.recognize(recorded);
    }
    if (merged === 'revised') return 'merged';
    if (merged === 'contradicted') return merged;
    if (added) {
      if (attribution.record.owner === null) measure('unresolved');
      if (attribution.record.cost_usd === null) measure('unpriced');
      const { reported_cost, reported_footprint } = attribution.explanation;
      return (reported_cost ?? reported_footprint) === undefined ? 'recorded' : 'set_aside';
    }
    return claim.receivedAt === receivedAt ? 'same_arrival' : 'duplicate';
  };
};
