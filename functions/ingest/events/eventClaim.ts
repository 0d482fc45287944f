import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { DedupClaim } from '../../ledger/records/dedup/dedupClaimRow.store.ts';
import { observerOf } from '../../ledger/records/dedup/observer.ts';
import { idSpaceOf, partyOf } from '../../ledger/records/dedup/statementPolicy.ts';
import type { Provenance } from '../../ledger/records/provenance.ts';
import { invocationUlid, recordUlid } from '../../platform/shared/ids.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';
import { contentHash } from './contentHash.ts';
import { occurredAtOf } from './eventTimes.ts';

/** Who states an event, from which lane (null: the home lane of the tenant), and when it arrived (epoch milliseconds). */
export interface Stated {
  readonly receivedAt: number;
  readonly residency: string | null;
  readonly statedBy: Provenance;
}

/** The ULID of the invocation that an event id names in a lane. The row of its claims has it in its key. */
export const invocationOf = (
  eventId: string,
  { residency }: Pick<Stated, 'residency'>,
  tenant: Tenant,
): string => {
  const home = homeLane(tenant);
  return invocationUlid(tenant.tenant_id, eventId, idSpaceOf(null, residency ?? home, home));
};

/** The claim that an event makes on its id. `shardBits` is the number of shard bits of a new record. */
export const claimOfEvent = (
  event: InvocationEvent,
  { receivedAt, residency, statedBy }: Stated,
  tenant: Tenant,
  shardBits: number,
): DedupClaim => {
  const [party, home, occurredAt] = [partyOf(statedBy), homeLane(tenant), occurredAtOf(event)];
  const lane = residency ?? home;
  return {
    party,
    credential: statedBy.id,
    occurredAt,
    receivedAt,
    contentHash: contentHash(event),
    record: recordUlid(tenant.tenant_id, event.event_id, occurredAt, shardBits, idSpaceOf(party, lane, home)),
    observer: observerOf(event, statedBy),
    lane,
  };
};
