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

/** What goes with the write of a version, so that whoever listens is told of it, once; mostly nothing. */
export type BuildEventWrites = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
  attribution: Attribution,
) => Promise<readonly Write[]>;

/** Where nobody can listen. */
export const buildNoEventWrites: BuildEventWrites = async () => [];

/** How long a tenant's endpoints are remembered, in milliseconds: a new subscription hears of what comes behind it. */
const LIFETIME = 5_000;
const CAPACITY = 1_000;

/** The event of a version: the same however often it is written, one for each version. */
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
 * Tells of every version that enters the ledger, in the transaction that writes it, where an endpoint of the tenant
 * subscribes to that; elsewhere a record costs no event that nobody would read.
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
      isAnybody: (await stores.endpoints.endpointsOf(tenantId)).some(({ events }) => events.includes(TYPE)),
    }),
    { lifetime: LIFETIME, capacity: CAPACITY, clock },
  );
  return async (tenant, attribution) => {
    const { isAnybody } = (await subscriptions(tenant.tenant_id)) ?? { isAnybody: false };
    return isAnybody ? [stores.outbox.raise(buildMaterializedEvent(attribution, tenant))] : [];
  };
};
