import { PRODUCER } from '../../impact/footprint/carbon.ts';
import { METERED } from '../../impact/footprint/energy.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { observerOf } from '../../ledger/records/dedup/observer.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from './attribute.ts';
import { mergeObservation } from './observations/mergeObservation.ts';
import { FOOTPRINT, MONEY } from './observations/observationParts.ts';
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

/** Whether a figure falls, or becomes nothing because somebody says so where it is unknown. */
const falls = (known: string | null, next: string | null, isStated: boolean): boolean =>
  known === null
    ? isStated && next !== null && decimal(next).eq('0')
    : next === null || decimal(next).lt(known);

const costFalls = ({ record: known }: Attribution, { record, explanation }: Attribution): boolean =>
  falls(known.cost_usd, record.cost_usd, /^(?:unmetered|producer)$/.test(explanation.cost?.source ?? ''));

const footprintFalls = ({ record: known }: Attribution, { record, explanation }: Attribution): boolean =>
  falls(known.energy_wh, record.energy_wh, explanation.energy?.method === METERED) ||
  falls(known.carbon_gco2e, record.carbon_gco2e, explanation.carbon?.method === PRODUCER);

/** What an observation leaves out, if all that it states lowers a figure. The last one lowers none. */
const OMISSIONS = [[], [FOOTPRINT], MONEY, [...MONEY, FOOTPRINT]];

/**
 * Merges an observation into the record of its call, as a new version. Idempotent: an observation that the record contains
 * changes nothing. Only the credential that first reported the call can lower its cost, or the energy and carbon that it
 * reports. Where it ran, and so how much its energy emits, anybody may add.
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
    const mergeWithout = (without: readonly string[]): Attribution | null => {
      const observed = mergeObservation(current, { ...observation, without });
      merged.observed = observed;
      if (typeof observed === 'string') return null;
      return reattribute(current, tenant, context.factors, { ...context, observed }, startsAt());
    };
    const isCreator = current.storedEvent.stated_by?.id === statedBy.id;
    for (const without of OMISSIONS) {
      const next = mergeWithout(without);
      if (next === null || isCreator) return next;
      const lowersCost = !MONEY.every((name) => without.includes(name)) && costFalls(current, next);
      const lowersFootprint = !without.includes(FOOTPRINT) && footprintFalls(current, next);
      if (!lowersCost && !lowersFootprint) return next;
    }
    return null;
  });
  const { known, observed } = merged;
  if (revision === 'unchanged' && observed === 'rejected') return { outcome: 'rejected', known };
  const isContradicted = revision === 'revised' && typeof observed === 'object' && observed.isContradicted;
  return { outcome: isContradicted ? 'contradicted' : revision, known };
};
