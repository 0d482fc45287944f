import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from './attribute.ts';
import { mergeObservation, type Observation, observerOf } from './mergeObservation.ts';
import { reattribute } from './reattribute.ts';
import type { Revise, RevisionOutcome } from './revise.ts';

/** The record that an observation is about. */
export interface ObservedRecord {
  readonly ulid: string;
  readonly tenant: Tenant;
  readonly context: TenantAttributionContext;
}

/**
 * Merges an observation into the record of its call, as a new version. Idempotent: an observation that the record contains
 * changes nothing. `rejected` if its party has no authority over anything that it states.
 */
export const recordObservation = async (
  revise: Revise,
  { ulid, tenant, context }: ObservedRecord,
  observation: Observation,
): Promise<RevisionOutcome | 'rejected'> => {
  const { event, statedBy, isRepeat = false } = observation;
  const by = { claim: `${isRepeat ? 'repeat' : 'observer'} ${observerOf(event, statedBy)}`, attempt: 1 };
  let isRejected = false;
  const outcome = await revise(tenant, ulid, by, (current, at) => {
    const observed = mergeObservation(current, observation);
    isRejected = observed === 'rejected';
    if (observed === 'known' || observed === 'rejected') return null;
    return reattribute(current, tenant, context.factors, { ...context, observed }, at);
  });
  return outcome === 'unchanged' && isRejected ? 'rejected' : outcome;
};
