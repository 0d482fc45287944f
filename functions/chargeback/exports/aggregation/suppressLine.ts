import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { ONE } from '../focus/charge.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line, LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/recordLines.ts';
import { groupOf, groupText } from './cohort.ts';
import { parentOf, type Suppression } from './suppression.ts';

/** Replaces the call by its day. A row for a single call of a small group would identify a person even without labels. */
const generalizeToDay = (key: LineKey): LineKey => ({
  ...key,
  ...chargePeriodOf(key.start, 'day'),
  requestedModel: null,
  recordId: null,
  invocationId: null,
});

/** Hides the recipient of an allocated part when that owner is suppressed everywhere else. */
const hideSuppressedBearer = (split: LineKey['split'], { owners }: Suppression): LineKey['split'] =>
  split === null || split.recipient === null || owners.has(split.recipient)
    ? split
    : { ...split, recipient: null };

/** Placeholder for merged providers, models, price lists and methods. */
export const SEVERAL = 'several';

const several = (method: string | null): string | null => (method === null ? null : SEVERAL);

/**
 * Removes provider, model and price. When provider or model name the group, the price identifies it too, so only the cost is
 * left. `priceAsSingleRequest` sets the price after all such lines are merged.
 */
const generalizeModel = (key: LineKey): LineKey => ({
  ...key,
  provider: SEVERAL,
  model: SEVERAL,
  servedModel: SEVERAL,
  requestedModel: null,
  price: { meter: 'total', per: 'each', unit: '0', list: SEVERAL, terms: 'stated' },
  energyMethod: several(key.energyMethod),
  carbonMethod: several(key.carbonMethod),
});

/** Prices a generalized line as one request at its cost. Returns other lines unchanged. */
export const priceAsSingleRequest = ({ key, amounts }: Line): Line =>
  key.price.list === SEVERAL
    ? {
        key: { ...key, price: { ...key.price, unit: formatFixedPoint(amounts.cost) } },
        amounts: { ...amounts, priced: ONE },
      }
    : { key, amounts };

/** Applies suppression to a line: unchanged when its group is shown, otherwise with the dimensions of the parent group. */
export const suppressLine = ({ key, amounts }: Line, suppression: Suppression, grain: Grain): Line => {
  const group = groupOf(key, grain);
  const rollup = suppression.rollups.get(groupText(group));
  const split = hideSuppressedBearer(key.split, suppression);
  if (rollup === undefined)
    return split === key.split ? { key, amounts } : { key: { ...key, split }, amounts };
  const { owner, service, pathway, region } = parentOf[rollup](group);
  const suppressed = { ...key, split, rollup, owner, service, pathway, region };
  const isNamedByPrice = grain.groupBy.has('provider') || grain.groupBy.has('served_model');
  const generalized = rollup === 'Tenant' && isNamedByPrice ? generalizeModel(suppressed) : suppressed;
  return { key: grain.granularity === 'record' ? generalizeToDay(generalized) : generalized, amounts };
};
