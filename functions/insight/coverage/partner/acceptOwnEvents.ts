import { acceptEvents, type IntakeStores } from '../../../ingest/events/acceptEvents.ts';
import type { CheckedEvent } from '../../../ingest/events/checkEvent.ts';
import { describeError, log } from '../../../platform/shared/log.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { ConnectorMeter } from '../connector.store.ts';
import { connectorOf, requireOwnSourceSystems } from './connector.ts';

/**
 * Accepts events of the source systems of the caller, and adds the accepted ones to its usage. `placeOf`: the JSON Pointer of
 * an event. Accepts none and throws INSUFFICIENT_SCOPE if an event is of another source system, and VALIDATION_FAILED if one
 * has to name its own.
 */
export const acceptOwnEvents = async (
  stores: IntakeStores & { readonly meter: ConnectorMeter },
  sent: readonly unknown[],
  { caller, receivedAt }: { readonly caller: Caller; readonly receivedAt: number },
  placeOf: (index: number) => string,
): Promise<CheckedEvent[]> => {
  const events = requireOwnSourceSystems(connectorOf(caller).sourceSystems, sent, placeOf);
  const checked = await acceptEvents(stores, events, { caller, receivedAt });
  const accepted = checked.filter(({ event }) => event !== null).length;
  if (accepted === 0) return checked;
  // The events are queued. A missing count must not make the partner send them again.
  await stores.meter
    .add(caller.tenant.tenant_id, caller.principal, accepted, receivedAt)
    .catch((error: unknown) =>
      log({ level: 'warn', message: 'usage of a connector was not counted', ...describeError(error) }),
    );
  return checked;
};
