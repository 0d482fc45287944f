import { decimal } from '../platform/shared/decimal.ts';
import type { Impact } from './impact.ts';

interface Range {
  readonly low: string;
  readonly central: string;
  readonly high: string;
}

/** The range with those of others. Null stays unknown, because nobody with a better right to it says what it is. */
const widened = <Figure extends Range>(
  figure: Figure | null,
  others: readonly (Figure | null)[],
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
export const withContradictions = (impact: Impact, others: readonly Impact[]): Impact => {
  const cost = widened(
    impact.cost,
    others.map((other) => other.cost),
  );
  return {
    ...impact,
    cost:
      cost === null || cost === impact.cost
        ? cost
        : { ...cost, uncertain: [...(cost.uncertain ?? []), 'contradicting_statements'] },
    energy: widened(
      impact.energy,
      others.map(({ energy }) => energy),
    ),
    carbon: widened(
      impact.carbon,
      others.map(({ carbon }) => carbon),
    ),
  };
};
