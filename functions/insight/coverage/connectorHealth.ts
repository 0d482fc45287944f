import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { ConnectorReport, DiscoveryWriter } from './discovery.store.ts';

/** Optimistic lock: in each round at least one writer succeeds, so this many concurrent reports of a connector succeed. */
const MAX_ATTEMPTS = 20;

type TenantRef = Pick<Tenant, 'tenant_id' | 'tag'>;

/**
 * The event of a changed connector status, raised at `now` (epoch milliseconds). Null when the status did not change, or
 * when a new connector is healthy.
 */
export const healthChange = (
  tenant: TenantRef,
  known: ConnectorReport | null,
  { connector, client_id, status, residency, at }: ConnectorReport,
  now: number,
): RaisedEvent | null => {
  const previous = known?.status ?? null;
  if (status === (previous ?? 'healthy')) return null;
  const reported_at = toIso(at);
  const digest = sha256Of(
    'connector health',
    tenant.tenant_id,
    client_id ?? connector,
    residency ?? '',
    reported_at,
    status,
  );
  return createEvent(
    'connector.health.changed',
    { connector, previous, status, reported_at, residency },
    { ulid: ulidOf(now, digest), at: now, tenant },
  );
};

/**
 * Stores the health report of a connector in one transaction with the event of the change. Ignores a report that is not
 * newer than the stored one, so repeated reports change nothing. Throws SDK errors, and an error after
 * {@link MAX_ATTEMPTS} write conflicts.
 */
export const reportConnector = async (
  { discovery, outbox }: { readonly discovery: DiscoveryWriter; readonly outbox: Outbox },
  tenant: TenantRef,
  reported: ConnectorReport,
  now: number,
): Promise<void> => {
  const storeOnce = async (): Promise<undefined | typeof CONFLICT> => {
    const known = await discovery.connector(tenant.tenant_id, reported);
    if (known !== null && known.at >= reported.at) return undefined;
    const event = healthChange(tenant, known, reported, now);
    const write = discovery.putConnector(tenant.tenant_id, reported, known);
    const isStored = await commit([write, ...(event === null ? [] : [outbox.raise(event)])]);
    return isStored ? undefined : CONFLICT;
  };
  const subject = `connector ${reported.connector}`;
  await retryOnConflict(storeOnce, { maxAttempts: MAX_ATTEMPTS, subject });
};
