import type { Anomaly } from '../../../schemas/insight/anomalies.ts';
import type { CostGroup } from './costPeriods.ts';

type Labels = CostGroup['dimensions'];

/**
 * An entity whose cost is evaluated. Each residency lane is evaluated separately, so that a credential bound to one lane
 * learns nothing about another.
 */
export type Entity = Pick<Anomaly, 'dimension' | 'value' | 'residency'>;

/** The entities that calls with these labels belong to. Calls belong to the tenant, and to each label that is not null. */
export const entitiesOf = ({ owner, service, served_model, residency }: Labels): Entity[] => {
  const entities: Entity[] = [{ dimension: 'tenant', value: null, residency }];
  if (served_model !== null) entities.push({ dimension: 'served_model', value: served_model, residency });
  if (owner !== null) entities.push({ dimension: 'owner', value: owner, residency });
  if (service !== null) entities.push({ dimension: 'service', value: service, residency });
  return entities;
};

export const entityKey = ({ dimension, value, residency }: Entity): string =>
  JSON.stringify([residency, dimension, value]);

export const belongsTo =
  ({ dimension, value, residency }: Entity) =>
  ({ dimensions }: { readonly dimensions: Labels }): boolean =>
    dimensions.residency === residency && (dimension === 'tenant' || dimensions[dimension] === value);
