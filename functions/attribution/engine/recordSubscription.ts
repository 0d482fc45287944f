import type { EventType } from '../../../schemas/delivery/events.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import type { ListRaisedVersion } from '../../ledger/records/raised/raisedVersionLog.store.ts';
import type { ItemKey } from '../../platform/outbox/unpublishedEvents.store.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';

const TYPE: EventType = 'attribution.materialized';

/**
 * Whether a new version of a record raises an event. Call it before the version is written: a version that raises an event
 * is listed first, so that replays find it even if its event is never published.
 */
export type IsRaised = (key: ItemKey, version: Attribution) => Promise<boolean>;

/** After this time, a new subscription receives events of all new versions. */
const CACHE_TTL_MS = 5_000;
/** In tenants. */
const CACHE_CAPACITY = 1_000;

/**
 * Tells whether an endpoint of a tenant subscribes to new versions of records. A version is marked only then, so that the
 * change stream of the ledger passes no other versions to the publisher.
 */
export const recordSubscription = (
  endpoints: {
    readonly endpointsOf: (tenantId: string) => Promise<readonly { readonly events: readonly string[] }[]>;
  },
  clock: Clock,
  listVersion: ListRaisedVersion,
): IsRaised => {
  const subscriptions = cacheLookups(
    async (tenantId: string) => ({
      isSubscribed: (await endpoints.endpointsOf(tenantId)).some(({ events }) => events.includes(TYPE)),
    }),
    { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY, clock },
  );
  return async (key, version) => {
    const isRaised = (await subscriptions(version.record.tenant_id))?.isSubscribed ?? false;
    if (isRaised) await listVersion(key, version);
    return isRaised;
  };
};
