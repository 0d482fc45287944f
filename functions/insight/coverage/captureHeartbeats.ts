import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { pathwayOf } from '../../attribution/engine/pathway.ts';
import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import { memoizeAsync } from '../../platform/shared/caches/memoizeAsync.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { homeLane, type Tenant } from '../../platform/tenancy/tenant.ts';
import type { Capture, HeartbeatStore } from './heartbeat.store.ts';
import { slotOf } from './timeSlot.ts';

/** Most pairs of tenant and time slot kept in memory. */
const CAPACITY = 1_000;
/** Most captures written per tenant and time slot. Producers choose the names of layers and systems freely. */
const CAPTURES_MAXIMUM = 64;

/**
 * Returns a function that records which capture layers are active, by the arrival time of events, so that a late backlog
 * counts as captured. It writes once per capture and time slot. A new process writes again, which changes nothing. It
 * never throws: after a failed write the next event tries again.
 */
export const heartbeatRecorder = (store: HeartbeatStore) => {
  const once = memoizeAsync<void>(CAPACITY * CAPTURES_MAXIMUM);
  /** The captures of each tenant and slot. */
  const capturesBySlot = new Map<string, Set<string>>();

  /** Whether a capture is one of the first of its slot. */
  const isAdmitted = (slotKey: string, captureKey: string): boolean => {
    const captures = capturesBySlot.get(slotKey) ?? new Set();
    setBounded(capturesBySlot, slotKey, captures, CAPACITY);
    if (captures.size < CAPTURES_MAXIMUM) captures.add(captureKey);
    return captures.has(captureKey);
  };

  /** `receivedAt` is epoch milliseconds. `residency` is the lane that the credential is bound to, or null. */
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
    const slotKey = `${tenantId} ${slot}`;
    const captureKey = JSON.stringify(Object.values(capture));
    if (!isAdmitted(slotKey, captureKey)) return;
    await once(`${slotKey} ${captureKey}`, () => store.add(tenantId, capture, slot)).catch((error: unknown) =>
      log({
        level: 'warn',
        message: 'capture heartbeat was not recorded; the next event retries',
        tenant_id: tenantId,
        ...describeError(error),
      }),
    );
  };
};
