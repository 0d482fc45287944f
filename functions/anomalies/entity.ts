import type { Anomaly } from '../../schemas/anomalies.ts';
import type { Dimensions } from '../../schemas/rollup.ts';

/**
 * An entity whose cost is evaluated. Each residency lane is evaluated separately, so that a credential bound to one lane
 * learns nothing about another.
 */
export type Entity = Pick<Anomaly, 'dimension' | 'value' | 'residency'>;

/** The entities that calls with these dimensions belong to. Calls without owner and service have only tenant and model. */
export const entitiesOf = ({ owner, service, served_model, residency }: Dimensions): Entity[] => {
  const entities: Entity[] = [
    { dimension: 'tenant', value: null, residency },
    { dimension: 'served_model', value: served_model, residency },
  ];
  if (owner !== null) entities.push({ dimension: 'owner', value: owner, residency });
  if (service !== null) entities.push({ dimension: 'service', value: service, residency });
  return entities;
};

export const entityKey = ({ dimension, value, residency }: Entity): string =>
  JSON.stringify([residency, dimension, value]);

export const belongsTo =
  ({ dimension, value, residency }: Entity) =>
  ({ dimensions }: { readonly dimensions: Dimensions }): boolean =>
    dimensions.residency === residency && (dimension === 'tenant' || dimensions[dimension] === value);
