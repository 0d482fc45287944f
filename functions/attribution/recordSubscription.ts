import type { EventType } from '../../schemas/events.ts';
import type { Clock } from '../shared/clock.ts';
import { cacheLookups } from '../shared/lookupCache.ts';

const TYPE: EventType = 'attribution.materialized';

/** Whether a new version of a record of this tenant raises an event. */
export type IsRaised = (tenantId: string) => Promise<boolean>;

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
): IsRaised => {
  const subscriptions = cacheLookups(
    async (tenantId: string) => ({
      isSubscribed: (await endpoints.endpointsOf(tenantId)).some(({ events }) => events.includes(TYPE)),
    }),
    { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY, clock },
  );
  return async (tenantId) => (await subscriptions(tenantId))?.isSubscribed ?? false;
};
