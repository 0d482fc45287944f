import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { claimOfEvent, invocationOf, type Stated } from '../../ingest/events/eventClaim.ts';
import { eventIdOfCall } from '../../ingest/formats/observedCall.ts';
import type { DedupClaimStore } from '../../ledger/records/dedup/dedupClaim.store.ts';
import type { Claims, DedupClaim } from '../../ledger/records/dedup/dedupClaimRow.store.ts';
import { idSpaceOf, mayJoinRecords } from '../../ledger/records/dedup/statementPolicy.ts';
import { shardBitsOf } from '../../ledger/records/ledgerKey.ts';
import type { ShardBitsControl } from '../../ledger/records/shards/shardBitsControl.ts';
import { invocationUlid, recordUlid } from '../../platform/shared/ids.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';

export interface Arrival extends Stated {
  /** The record that the dedup claim of the event leads to, if the API has written it. */
  readonly claimed?: string | undefined;
}

/** An event with the claim that its sender makes. */
export interface Incoming {
  readonly event: InvocationEvent;
  readonly arrival: Arrival;
  readonly tenant: Tenant;
  readonly invocation: string;
  readonly ownClaim: DedupClaim;
  /** Whether its claim is written already. */
  readonly isClaimed: boolean;
}

export const incomingCall = async (
  event: InvocationEvent,
  arrival: Arrival,
  tenant: Tenant,
  shardBits: Pick<ShardBitsControl, 'current'>,
): Promise<Incoming> => {
  const { claimed } = arrival;
  // The number of shard bits may have changed since the claim.
  const bits = claimed === undefined ? await shardBits.current(tenant.tenant_id) : shardBitsOf(claimed);
  const ownClaim = claimOfEvent(event, arrival, tenant, bits);
  const invocation = invocationOf(event.event_id, arrival, tenant);
  // Another record was claimed if the lanes of the tenant have changed since.
  const isClaimed = ownClaim.record === claimed;
  return { event, arrival, tenant, invocation, ownClaim, isClaimed };
};

/** Whether a record was made for this event id, and not for another id of the call. */
export const isRecordOf = ({ event, tenant, ownClaim: { party, lane } }: Incoming, ulid: string): boolean =>
  recordUlid(
    tenant.tenant_id,
    event.event_id,
    timeOfUlid(ulid),
    shardBitsOf(ulid),
    idSpaceOf(party, lane, homeLane(tenant)),
  ) === ulid;

/** The claims of a call, and the records that its further ids led to. */
export interface ClaimedCall extends Claims {
  readonly linked: readonly string[];
}

/** Of several ids, those that lead to a record come first, so that a claim of the others leads to it too. */
const reportedFirst = async (
  claims: DedupClaimStore,
  tenantId: string,
  aliases: readonly string[],
): Promise<readonly string[]> => {
  if (aliases.length < 2) return aliases;
  const isReported = await Promise.all(aliases.map((alias) => claims.isReported(tenantId, alias, null)));
  return [true, false].flatMap((wanted) => aliases.filter((_, index) => isReported[index] === wanted));
};

/**
 * Claims an event id, after the further ids of the call, so that an observer that knows only one of them finds the record. If
 * another observer has claimed one, the event belongs to that record. An id that the same observer has claimed says nothing:
 * callers pass on ids of requests, and each of their calls has its own event id.
 */
export const claimCall = async (claims: DedupClaimStore, incoming: Incoming): Promise<ClaimedCall> => {
  const { event, tenant, invocation, ownClaim, isClaimed } = incoming;
  if (isClaimed) return { own: ownClaim, others: [], linked: [] };
  const { tenant_id: tenantId } = tenant;
  const { party, lane } = ownClaim;
  const others: DedupClaim[] = [];
  const linked = new Set<string>();
  const space = idSpaceOf(null, lane, homeLane(tenant));
  const aliases = (mayJoinRecords(party) ? (event.call_ids ?? []) : [])
    .map(eventIdOfCall)
    .filter((eventId) => eventId !== event.event_id)
    .map((eventId) => invocationUlid(tenantId, eventId, space));
  for (const alias of await reportedFirst(claims, tenantId, aliases)) {
    const [known = ownClaim.record] = linked;
    const found = await claims.claim(tenantId, alias, { ...ownClaim, record: known });
    others.push(...found.others);
    if (found.own === null || found.own.observer === ownClaim.observer) continue;
    if (await claims.observe(tenantId, alias, ownClaim)) linked.add(found.own.record);
  }
  const [first] = linked;
  const { own, others: foreign } = await claims.claim(
    tenantId,
    invocation,
    first === undefined ? ownClaim : { ...ownClaim, record: first, occurredAt: timeOfUlid(first) },
  );
  return { own, others: [...foreign, ...others], linked: [...linked] };
};
