import { formatFixedPoint } from '../../shared/largestRemainder.ts';
import { ONE } from '../focus/charge.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line, LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/recordLines.ts';
import { groupOf, groupText } from './cohort.ts';
import { parentOf, type Suppression } from './suppression.ts';

/** A single call of a few would stand for itself whatever its name: it comes as a part of its day. */
const generalizeToDay = (key: LineKey): LineKey => ({
  ...key,
  ...chargePeriodOf(key.start, 'day'),
  requestedModel: null,
  recordId: null,
  invocationId: null,
});

/** Who bears a part of what nobody was named for; an owner that is not shown elsewhere is not shown here. */
const hideSuppressedBearer = (split: LineKey['split'], { owners }: Suppression): LineKey['split'] =>
  split === null || split.bearer === null || owners.has(split.bearer) ? split : { ...split, bearer: null };

/** Stands for providers, models and price lists that are not told apart. */
export const SEVERAL = 'several';

const several = (method: string | null): string | null => (method === null ? null : SEVERAL);

/**
 * Where provider or model name the group, its price names it too: without them nothing is left but what it cost. The
 * price is told by `pooledPrice` once all that is pooled is one line.
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

/** A pooled line, priced as one request at its cost; any other as it is. */
export const priceAsSingleRequest = ({ key, amounts }: Line): Line =>
  key.price.list === SEVERAL
    ? {
        key: { ...key, price: { ...key.price, unit: formatFixedPoint(amounts.cost) } },
        amounts: { ...amounts, priced: ONE },
      }
    : { key, amounts };

/** A line as it may be shown: by the name of its group, or by what its parent leaves of that. */
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
