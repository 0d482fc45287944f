import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { degradationEvent } from './degradation.ts';
import type { ServingWriter } from './registry.store.ts';
import { degradationChangeOf, nextServingState } from './servingState.ts';

/**
 * Changes a tenant's degradation state between serving and fallback, in one transaction with the event. Of concurrent
 * functions one commits. Returns false when another one did, or when the state does not change.
 */
export const transitionDegradation =
  (stores: { readonly registry: ServingWriter; readonly outbox: Outbox; readonly clock: Clock }) =>
  async (tenant: Tenant, isFallback: boolean): Promise<boolean> => {
    const { registry, outbox, clock } = stores;
    const { serving, revision } = await registry.current(tenant.tenant_id);
    const at = clock();
    const next = nextServingState(serving, isFallback, at);
    if (next === null) return false;
    const reason = isFallback ? 'model_unavailable' : 'model_available';
    const change = degradationChangeOf(serving.degradation, next.degradation, reason, next.active);
    const by = { claim: `move ${next.degradation} ${next.since}`, attempt: 1 };
    return commit([
      registry.putServing(tenant.tenant_id, next, { expectedRevision: revision, by }),
      ...(change === null ? [] : [outbox.raise(degradationEvent(tenant, change, at))]),
    ]);
  };
