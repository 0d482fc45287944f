import type { DedupClaim } from '../../ledger/records/dedup/dedupClaimRow.store.ts';
import type { EventKey, EventKeys } from '../../ledger/records/dedup/eventKey.store.ts';
import { provenanceOf } from '../../ledger/records/provenance.ts';
import type { KeyClaims, KeyedRequest } from '../../platform/http/underKey.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { CheckedEvent } from './checkEvent.ts';
import { claimOfEvent, invocationOf } from './eventClaim.ts';

export interface KeyStores {
  readonly eventKeys: EventKeys;
  /** Null if it cannot be read: then the worker writes the claim. */
  readonly currentShardBits: (tenantId: string) => Promise<number | null>;
}

/**
 * Holds the Idempotency-Key of a request with one event. If the key is the event id, one write holds it and claims the event, and
 * `claimed` returns the record of the claim. Three claims are left to the worker: that of a connector, because the tenant can have
 * one beside it; that of a call with further ids, which can lead to the record of another id; and that of a stored response, which
 * makes no record.
 */
export const keyOfEvent = (
  { eventKeys, currentShardBits }: KeyStores,
  [checked]: readonly CheckedEvent[],
  caller: Caller,
): KeyClaims & { readonly claimed: () => string | undefined } => {
  const { tenant, residency, connector } = caller;
  let claimed: string | undefined;
  const isValid = checked?.event != null;

  const keyOf = ({ idempotencyKey, fingerprint }: KeyedRequest): EventKey => ({
    tenantId: tenant.tenant_id,
    invocation: invocationOf(idempotencyKey, caller, tenant),
    credential: caller.principal,
    fingerprint,
  });

  const claimOf = async (idempotencyKey: string, receivedAt: number): Promise<DedupClaim | null> => {
    const event = checked?.event ?? null;
    if (event === null || event.event_id !== idempotencyKey || connector !== undefined) return null;
    if (event.call_ids !== undefined || event.retrieval === true) return null;
    const stated = { receivedAt, residency, statedBy: provenanceOf(caller) };
    const shardBits = await currentShardBits(tenant.tenant_id);
    return shardBits === null ? null : claimOfEvent(event, stated, tenant, shardBits);
  };

  return {
    claimed: () => claimed,
    claim: async (request, now) => {
      if (!isValid) return eventKeys.peek(keyOf(request), now);
      const held = await eventKeys.hold(keyOf(request), now, await claimOf(request.idempotencyKey, now));
      if (held.kind === 'first') claimed = held.record ?? undefined;
      return held;
    },
    release: async (request) => {
      if (isValid) await eventKeys.release(keyOf(request));
    },
  };
};
