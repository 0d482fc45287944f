import type { Attribution } from '../../ledger/records/attribution.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from './attribute.ts';
import { mergeObservation, observerOf } from './observations/mergeObservation.ts';
import type { Observation } from './observations/statement.ts';
import { reattribute } from './reprocessing/reattribute.ts';
import type { Revise, RevisionOutcome } from './revise.ts';

/** The record that an observation is about. */
export interface ObservedRecord {
  readonly ulid: string;
  readonly tenant: Tenant;
  readonly context: TenantAttributionContext;
}

/**
 * `rejected`: its party has no authority over anything that it states. `contradicted`: the record is revised, and says that two
 * credentials of the tenant state different things.
 */
export type ObservationOutcome = RevisionOutcome | 'rejected' | 'contradicted';

export interface RecordedObservation {
  readonly outcome: ObservationOutcome;
  /** The record before it; null if it is missing. */
  readonly known: Attribution | null;
}

/** Whether a record would cost less, or nothing because somebody says so where no price is known. */
const isLower = (next: Attribution | null, { record: { cost_usd: known } }: Attribution): boolean => {
  if (next === null) return false;
  const { cost } = next.explanation;
  if (known === null)
    return cost !== null && decimal(cost.central).eq('0') && /^(?:unmetered|producer)$/.test(cost.source);
  return cost === null || decimal(cost.central).lt(known);
};

/**
 * Merges an observation into the record of its call, as a new version. Idempotent: an observation that the record contains
 * changes nothing. Only the credential that first reported the call can lower its cost.
 */
export const recordObservation = async (
  revise: Revise,
  { ulid, tenant, context }: ObservedRecord,
  observation: Observation,
): Promise<RecordedObservation> => {
  const { event, statedBy, isRepeat = false } = observation;
  const by = { claim: `${isRepeat ? 'repeat' : 'observer'} ${observerOf(event, statedBy)}`, attempt: 1 };
  const merged: { known: Attribution | null; observed: ReturnType<typeof mergeObservation> } = {
    known: null,
    observed: 'known',
  };
  const revision = await revise(tenant, ulid, by, (current, startsAt) => {
    merged.known = current;
    const mergeWith = (isWithoutMoney: boolean): Attribution | null => {
      const observed = mergeObservation(current, { ...observation, isWithoutMoney });
      merged.observed = observed;
      if (typeof observed === 'string') return null;
      return reattribute(current, tenant, context.factors, { ...context, observed }, startsAt());
    };
    const next = mergeWith(false);
    const isCreator = current.storedEvent.stated_by?.id === statedBy.id;
    return !isCreator && isLower(next, current) ? mergeWith(true) : next;
  });
  const { known, observed } = merged;
  if (revision === 'unchanged' && observed === 'rejected') return { outcome: 'rejected', known };
  const isContradicted = revision === 'revised' && typeof observed === 'object' && observed.isContradicted;
  return { outcome: isContradicted ? 'contradicted' : revision, known };
};
