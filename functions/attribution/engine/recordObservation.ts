import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from './attribute.ts';
import { mergeObservation, observerOf } from './mergeObservation.ts';
import { reattribute } from './reattribute.ts';
import type { Revise } from './revise.ts';

/**
 * Merges an observation into the record of its call, as a new version. Idempotent: an observation that the record contains
 * changes nothing. Resolves to whether the record got a new version.
 */
export const recordObservation = async (
  revise: Revise,
  {
    event,
    ulid,
    tenant,
    context,
    isRepeat = false,
  }: {
    readonly event: InvocationEvent;
    readonly ulid: string;
    readonly tenant: Tenant;
    readonly context: TenantAttributionContext;
    /** Whether this observer has reported the call before, with other content. */
    readonly isRepeat?: boolean;
  },
): Promise<boolean> => {
  const by = { claim: `${isRepeat ? 'repeat' : 'observer'} ${observerOf(event)}`, attempt: 1 };
  const outcome = await revise(tenant, ulid, by, (current, at) => {
    const observed = mergeObservation(current, event);
    if (observed === null) return null;
    return reattribute(current, tenant, context.factors, { ...context, observed }, at);
  });
  return outcome === 'revised';
};
