import { describeError, log } from '../../../platform/shared/log.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { ConnectorMeter } from '../connector.store.ts';

/** Adds accepted events to the usage of the caller. Does not fail. */
export const meterAccepted = async (
  meter: ConnectorMeter,
  { tenant, principal }: Caller,
  events: number,
  receivedAt: number,
): Promise<void> => {
  if (events === 0) return;
  // The events are queued. A missing count must not make the partner send them again.
  await meter
    .add(tenant.tenant_id, principal, events, receivedAt)
    .catch((error: unknown) =>
      log({ level: 'warn', message: 'usage of a connector was not counted', ...describeError(error) }),
    );
};
