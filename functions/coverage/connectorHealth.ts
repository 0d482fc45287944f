import type { RaisedEvent } from '../../schemas/events.ts';
import { createEvent } from '../events/createEvent.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { commit } from '../shared/aws/document.store.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { ConnectorReport, DiscoveryWriter } from './discovery.store.ts';

/** Of those who report a connector at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 20;

type TenantRef = Pick<Tenant, 'tenant_id' | 'tag'>;

/**
 * The event of a connector that says at `now` (epoch milliseconds) that it is not as it was; null of one that is, and of a
 * new one that is well.
 */
export const healthChange = (
  tenant: TenantRef,
  known: ConnectorReport | null,
  { connector, status, residency, at }: ConnectorReport,
  now: number,
): RaisedEvent | null => {
  const previous = known?.status ?? null;
  if (status === (previous ?? 'healthy')) return null;
  const reported_at = new Date(at).toISOString();
  const digest = sha256Of(
    'connector health',
    tenant.tenant_id,
    connector,
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
 * Keeps what a connector said of itself, unless it has said something since, together with the event of what changed by it:
 * said again, it changes nothing and tells nobody. Throws what the SDK throws when the tables cannot answer.
 */
export const reportConnector = async (
  { discovery, outbox }: { readonly discovery: DiscoveryWriter; readonly outbox: Outbox },
  tenant: TenantRef,
  reported: ConnectorReport,
  now: number,
): Promise<void> => {
  for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
    const known = await discovery.connector(tenant.tenant_id, reported);
    if (known !== null && known.at >= reported.at) return;
    const event = healthChange(tenant, known, reported, now);
    const kept = discovery.putConnector(tenant.tenant_id, reported, known);
    if (await commit([kept, ...(event === null ? [] : [outbox.raise(event)])])) return;
  }
  throw new Error('a connector was reported by others too often');
};
