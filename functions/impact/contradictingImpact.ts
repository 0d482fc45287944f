import { decimal } from '../platform/shared/decimal.ts';
import type { Impact } from './impact.ts';
import { structuralImpact } from './structuralImpact.ts';

interface Range {
  readonly low: string;
  readonly central: string;
  readonly high: string;
}

type Uncertainty = NonNullable<NonNullable<Impact['cost']>['uncertain']>[number];

/** What else the call may have cost, as its explanation shows it. */
const withCosts = (
  cost: Impact['cost'],
  others: readonly (Range | null)[],
  why: Uncertainty = 'contradicting_statements',
): Impact['cost'] => {
  const wider = widened(cost, others);
  return wider === null || wider === cost
    ? wider
    : { ...wider, uncertain: [...(wider.uncertain ?? []), why] };
};

/** The impact of a call of which another record states another cost. */
export const withOtherCost = (impact: Impact, other: Range | undefined): Impact =>
  other === undefined ? impact : { ...impact, cost: withCosts(impact.cost, [other]) };

/** A figure that another credential reports above that of a record, in a range with that of the record. */
const raisedTo = <Figure extends Range>(own: Figure | null, other: Figure | undefined): Figure | null =>
  other === undefined ? own : widened(other, [own]);

/** The impact of a call of which another record reports more energy or carbon. */
export const withOtherFootprint = (
  impact: Impact,
  {
    energy,
    carbon,
  }: { readonly energy?: Impact['energy'] | undefined; readonly carbon?: Impact['carbon'] | undefined },
): Impact => {
  const { energy: energyUnknown, carbon: carbonUnknown, ...unknown } = impact.unknown;
  return {
    ...impact,
    energy: raisedTo(impact.energy, energy ?? undefined),
    carbon: raisedTo(impact.carbon, carbon ?? undefined),
    unknown: {
      ...unknown,
      ...(energyUnknown !== undefined && !energy && { energy: energyUnknown }),
      ...(carbonUnknown !== undefined && !carbon && { carbon: carbonUnknown }),
    },
  };
};

/** The range with those of others. Null stays unknown, because nobody with a better right to it says what it is. */
const widened = <Figure extends Range>(
  figure: Figure | null,
  others: readonly (Range | null)[],
): Figure | null => {
  if (figure === null) return null;
  const [{ low }, { high }] = others
    .filter((other) => other !== null)
    .reduce<readonly [Range, Range]>(
      ([lowest, highest], other) => [
        decimal(other.low).lt(lowest.low) ? other : lowest,
        decimal(other.high).gt(highest.high) ? other : highest,
      ],
      [figure, figure],
    );
  return low === figure.low && high === figure.high ? figure : { ...figure, low, high };
};

/** The impact of a call of which credentials of the tenant state different things: its ranges contain what each of them states. */
export const withContradictions = (impact: Impact, others: readonly Impact[]): Impact => ({
  ...impact,
  cost: withCosts(
    impact.cost,
    others.map(({ cost }) => cost),
  ),
  energy: widened(
    impact.energy,
    others.map(({ energy }) => energy),
  ),
  carbon: widened(
    impact.carbon,
    others.map(({ carbon }) => carbon),
  ),
  water: widened(
    impact.water,
    others.map(({ water }) => water),
  ),
});

/** The impact of a call that may only repeat the usage of others, which then have its impact. */
export const withPossibleRepeat = (impact: Impact): Impact => ({
  ...impact,
  cost: withCosts(impact.cost, [structuralImpact.cost], 'possible_repeat'),
  energy: widened(impact.energy, [structuralImpact.energy]),
  carbon: widened(impact.carbon, [structuralImpact.carbon]),
  water: widened(impact.water, [structuralImpact.energy]),
});
