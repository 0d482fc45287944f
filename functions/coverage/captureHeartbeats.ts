import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { pathwayOf } from '../attribution/pathway.ts';
import { setBounded } from '../shared/boundedMap.ts';
import { describeError, log } from '../shared/log.ts';
import { homeLane, type Tenant } from '../tenancy/tenant.ts';
import type { Capture, HeartbeatStore } from './heartbeat.store.ts';
import { slotOf } from './timeSlot.ts';

/** Tenants and slots remembered. */
const CAPACITY = 1_000;
/** Captures told of one tenant in one slot: producers name their layers and systems as they like. */
const CAPTURES_MAXIMUM = 64;

type PendingWrites = Map<string, Promise<void>>;

/**
 * Notes which layers are at work, by when events arrive: a backlog that comes in late was captured all the same. Writes
 * once for each capture and ten minutes; a process that starts writes again, which changes nothing. Never throws: what
 * cannot be noted now is noted with the next event.
 */
export const heartbeatRecorder = (store: HeartbeatStore) => {
  const pendingBySlot = new Map<string, PendingWrites>();

  const pendingWritesIn = (tenantId: string, slot: number): PendingWrites => {
    const key = `${tenantId} ${slot}`;
    const known = pendingBySlot.get(key) ?? new Map();
    setBounded(pendingBySlot, key, known, CAPACITY);
    return known;
  };

  /** `receivedAt` is epoch milliseconds, `residency` the lane of the credential, if it was bound to one. */
  return async (
    tenant: Pick<Tenant, 'tenant_id' | 'residency'>,
    event: Pick<InvocationEvent, 'pathway_category' | 'ingestion_layer' | 'source_system'>,
    arrival: { readonly receivedAt: number; readonly residency: string | null },
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const capture: Capture = {
      pathway_category: pathwayOf(event),
      ingestion_layer: event.ingestion_layer,
      source_system: event.source_system ?? null,
      residency: arrival.residency ?? homeLane(tenant),
    };
    const slot = slotOf(arrival.receivedAt);
    const slots = pendingWritesIn(tenantId, slot);
    const key = JSON.stringify(Object.values(capture));
    const known = slots.get(key);
    if (known !== undefined) return known;
    if (slots.size >= CAPTURES_MAXIMUM) return;
    const adding = store.add(tenantId, capture, slot).catch((error: unknown) => {
      slots.delete(key);
      log({
        level: 'warn',
        message: 'a sighting was not noted',
        tenant_id: tenantId,
        ...describeError(error),
      });
    });
    slots.set(key, adding);
    return adding;
  };
};
