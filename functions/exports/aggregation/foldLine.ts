import { fromPico } from '../../shared/largestRemainder.ts';
import { ONE } from '../focus/charge.ts';
import type { Line, LineKey } from '../focus/line.ts';
import { chargePeriodOf } from '../focus/period.ts';
import type { Grain } from '../focus/rows.ts';
import { groupOf, groupText } from './cohort.ts';
import { type Folding, parentOf } from './folding.ts';

/** A single call of a few would stand for itself whatever its name: it comes as a part of its day. */
const ofItsDay = (key: LineKey): LineKey => ({
  ...key,
  ...chargePeriodOf(key.start, 'day'),
  requestedModel: null,
  recordId: null,
  invocationId: null,
});

/** Who bears a part of what nobody was named for; an owner that is not shown elsewhere is not shown here. */
const splitAmongShown = (split: LineKey['split'], { owners }: Folding): LineKey['split'] =>
  split === null || split.bearer === null || owners.has(split.bearer) ? split : { ...split, bearer: null };

/** Stands for providers, models and price lists that are not told apart. */
export const SEVERAL = 'several';

const several = (method: string | null): string | null => (method === null ? null : SEVERAL);

/**
 * Where provider or model name the group, its price names it too: without them nothing is left but what it cost. The
 * price is told by `pooledPrice` once all that is pooled is one line.
 */
const pooled = (key: LineKey): LineKey => ({
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
export const pooledPrice = ({ key, amounts }: Line): Line =>
  key.price.list === SEVERAL
    ? {
        key: { ...key, price: { ...key.price, unit: fromPico(amounts.cost) } },
        amounts: { ...amounts, priced: ONE },
      }
    : { key, amounts };

/** A line as it may be shown: by the name of its group, or by what its parent leaves of that. */
export const foldLine = ({ key, amounts }: Line, folding: Folding, grain: Grain): Line => {
  const group = groupOf(key, grain);
  const rollup = folding.rollups.get(groupText(group));
  const split = splitAmongShown(key.split, folding);
  if (rollup === undefined)
    return split === key.split ? { key, amounts } : { key: { ...key, split }, amounts };
  const { owner, service, pathway, region } = parentOf[rollup](group);
  const folded = { ...key, split, rollup, owner, service, pathway, region };
  const isNamedByPrice = grain.groupBy.has('provider') || grain.groupBy.has('served_model');
  const told = rollup === 'Tenant' && isNamedByPrice ? pooled(folded) : folded;
  return { key: grain.granularity === 'record' ? ofItsDay(told) : told, amounts };
};
