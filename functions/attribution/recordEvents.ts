import { createEvent } from '../events/createEvent.ts';
import type { Outbox } from '../events/outbox.store.ts';
import type { Attribution } from '../ledger/attribution.ts';
import type { Write } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import { sha256Of } from '../shared/hash.ts';
import { cacheLookups } from '../shared/lookupCache.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';

const TYPE = 'attribution.materialized';

/** Builds the outbox writes that are committed together with a version. Usually there are none. */
export type BuildEventWrites = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  attribution: Attribution,
) => Promise<readonly Write[]>;

/** After this time, a new subscription receives events of all new versions. */
const CACHE_TTL_MS = 5_000;
/** In tenants. */
const CACHE_CAPACITY = 1_000;

/** The event of a version. Its id is deterministic, so a retry raises the same event. */
const buildMaterializedEvent = ({ record }: Attribution, tenant: Pick<Tenant, 'tenant_id' | 'tag'>) => {
  const { id, invocation_id, version, occurred_at, as_of, provider, served_model } = record;
  const { owner, service, output_state, coper, cost_usd, energy_wh, carbon_gco2e, interpretation } = record;
  const at = Date.parse(as_of);
  return createEvent(
    TYPE,
    {
      attribution_id: id,
      invocation_id,
      version,
      occurred_at,
      provider,
      served_model,
      owner,
      service,
      output_state,
      confidence: coper,
      cost_usd,
      energy_wh,
      carbon_gco2e,
    },
    { ulid: ulidOf(at, sha256Of(TYPE, id, String(version))), at, tenant },
    interpretation,
  );
};

/**
 * Transactional outbox: raises an event for every new version, in the transaction that writes the version. It does so
 * only when an endpoint of the tenant subscribes to the event type, to save the write otherwise.
 */
export const eventWriteBuilder = (
  stores: {
    readonly endpoints: {
      readonly endpointsOf: (tenantId: string) => Promise<readonly { readonly events: readonly string[] }[]>;
    };
    readonly outbox: Outbox;
  },
  clock: Clock,
): BuildEventWrites => {
  const subscriptions = cacheLookups(
    async (tenantId: string) => ({
      hasSubscriber: (await stores.endpoints.endpointsOf(tenantId)).some(({ events }) =>
        events.includes(TYPE),
      ),
    }),
    { lifetime: CACHE_TTL_MS, capacity: CACHE_CAPACITY, clock },
  );
  return async (tenant, attribution) => {
    const { hasSubscriber } = (await subscriptions(tenant.tenant_id)) ?? { hasSubscriber: false };
    return hasSubscriber ? [stores.outbox.raise(buildMaterializedEvent(attribution, tenant))] : [];
  };
};
