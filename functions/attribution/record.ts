import type { InvocationEvent } from '../../schemas/invocationEvent.ts';
import { contentHash, occurredAtOf } from '../ingestion/event.ts';
import { invocationUlid, recordUlid } from '../shared/ids.ts';
import { monthOf } from '../shared/month.ts';
import { homeLane, type Tenant } from '../tenancy/tenant.ts';
import { type Attribution, attribute } from './attribute.ts';
import type { ClaimStore } from './claim.store.ts';
import type { Factors } from './impact/factors.ts';
import { recordPartitionOf } from './ledgerKey.ts';
import type { LedgerWriter } from './store.ts';

/** The rules failed on an event: trying again would fail again, so it must be set aside instead. */
export class AttributionFault extends Error {
  override readonly name = 'AttributionFault';
}

/** How an event came: when (epoch milliseconds), and the lane its credential was bound to, if any. */
export interface Arrival {
  readonly receivedAt: number;
  readonly residency: string | null;
}

export type Recorded = 'recorded' | 'duplicate' | 'duplicate_mismatch';

/**
 * Makes one record of an event, whatever becomes of the process and however often the event comes:
 *
 *   claim (event id → first content and times) ──► month ──► record, under the key the claim fixes
 *
 * A crash between the writes leaves a claim without its record; the next sighting of the same content finishes it.
 * A sighting with other content is counted and changes nothing: the first one's message still carries its own.
 */
export const recorder = (stores: {
  readonly claims: ClaimStore;
  readonly ledger: LedgerWriter;
  /** What assessments of a tenant's calls depend on. */
  readonly factors: (tenantId: string) => Promise<Factors>;
}) => {
  const openMonths = new Set<string>();

  const openMonth = async (tenantId: string, month: string): Promise<void> => {
    const key = `${tenantId}#${month}`;
    if (openMonths.has(key)) return;
    await stores.ledger.openMonth(tenantId, month);
    openMonths.add(key);
  };

  return async (event: InvocationEvent, arrival: Arrival, tenant: Tenant): Promise<Recorded> => {
    const { receivedAt, residency } = arrival;
    const { tenant_id: tenantId } = tenant;
    const invocation = invocationUlid(tenantId, event.event_id);
    const own = { occurredAt: occurredAtOf(event), receivedAt, contentHash: contentHash(event) };
    const claim = await stores.claims.claim(tenantId, invocation, own);
    if (claim.contentHash !== own.contentHash) {
      await stores.claims.countMismatch(tenantId, invocation);
      return 'duplicate_mismatch';
    }
    const factors = await stores.factors(tenantId);
    let attribution: Attribution;
    try {
      attribution = attribute(event, { ...claim, residency: residency ?? homeLane(tenant) }, tenant, factors);
    } catch (error) {
      throw new AttributionFault('the event could not be attributed', { cause: error });
    }
    const ulid = recordUlid(tenantId, event.event_id, claim.occurredAt);
    await openMonth(tenantId, monthOf(claim.occurredAt));
    const added = await stores.ledger.add(recordPartitionOf(tenant, ulid), ulid, attribution);
    return added ? 'recorded' : 'duplicate';
  };
};
