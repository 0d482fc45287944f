import type { JointRange, JointSpread } from '../../../schemas/insight/reports.ts';
import type { Quantity } from '../../../schemas/ledger/rollup.ts';
import { type Decimal, decimal, sumOf, toDecimalString, ZERO } from '../../platform/shared/decimal.ts';
import { sumQuantities } from '../rollups/sumQuantities.ts';

/** A summed quantity of one model. Null: calls whose model is not shown. */
export type SumByModel = ReadonlyMap<string | null, Pick<Quantity, 'low' | 'central' | 'high'>>;

/** Standard deviations from the median to the ends of a 90 % interval. */
const Z = 1.645;
/** Digits of a factor. They hide the last bits of logarithms, which differ between machines. */
const FACTOR_DIGITS = 9;

/** The ranges of a sum that is unknown for all calls. */
export const UNKNOWN_SPREAD: JointSpread = { low: null, high: null };
export const UNKNOWN_ESTIMATE: JointRange = { low: null, high: null, mean: null };

/** Only factors without a unit are floating point. Amounts are exact decimals. */
const factor = (value: number): Decimal => decimal(value.toFixed(FACTOR_DIGITS));
const ratio = (one: Decimal, other: Decimal): number =>
  other.eq(ZERO) ? 0 : Number(one.div(other).toFixed());

interface ModelSum {
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
}

/** The sums of the shown models, and the sum of all other calls. */
const splitHidden = (sums: SumByModel): { readonly shown: ModelSum[]; readonly hidden: ModelSum } => {
  const parsed = [...sums].map(([model, { low, central, high }]) => ({
    model,
    low: decimal(low),
    central: decimal(central),
    high: decimal(high),
  }));
  return {
    shown: parsed.filter(({ model }) => model !== null),
    hidden: parsed.find(({ model }) => model === null) ?? { low: ZERO, central: ZERO, high: ZERO },
  };
};

/** Variance of the natural logarithm, from the 90 % range of a log-normal error. */
const logVariance = ({ low, high }: ModelSum): number =>
  low.lte(ZERO) ? 0 : (Math.log(ratio(high, low)) / (2 * Z)) ** 2;

const atLeast = (value: Decimal, least: Decimal): Decimal => (value.lt(least) ? least : value);
const atMost = (value: Decimal, most: Decimal): Decimal => (value.gt(most) ? most : value);

/**
 * The 90 % range and the mean of a total whose errors are log-normal, shared by the calls of a model and independent
 * between models: a log-normal distribution with the same mean and variance (Fenton 1960). The centre of each record is a
 * median, so the mean exceeds the sum of the centres. Errors of hidden models may be those of any other model, so their
 * range is added without a reduction.
 */
export const jointEstimateRange = (sums: SumByModel): JointRange => {
  const { shown, hidden } = splitHidden(sums);
  const means = shown.map((sum) => sum.central.times(factor(Math.exp(logVariance(sum) / 2))));
  const mean = sumOf(means);
  const relativeVariance = shown.reduce(
    (total, sum, at) => total + ratio(means[at] ?? ZERO, mean) ** 2 * Math.expm1(logVariance(sum)),
    0,
  );
  const variance = Math.log1p(relativeVariance);
  const [down, up] = [-1, 1].map((side) =>
    mean.times(factor(Math.exp(-variance / 2 + side * Z * Math.sqrt(variance)))),
  );
  const hiddenMean = hidden.central.times(factor(Math.exp(logVariance(hidden) / 2)));
  const [low, high] = [sumOf(shown.map((sum) => sum.low)), sumOf(shown.map((sum) => sum.high))];
  const [only, ...others] = shown;
  const ends =
    only !== undefined && others.length === 0
      ? { low, high }
      : { low: atLeast(down ?? low, low), high: atMost(up ?? high, high) };
  return {
    low: toDecimalString(ends.low.plus(hidden.low)),
    high: toDecimalString(ends.high.plus(hidden.high)),
    mean: toDecimalString(mean.plus(hiddenMean)),
  };
};

/**
 * The range of a total cost. Its ends are known prices, where region or deployment type is not known. Deviations of one
 * model add up, and those of different models are combined as the root of the sum of squares.
 */
export const jointPriceRange = (sums: SumByModel): JointSpread => {
  const { shown, hidden } = splitHidden(sums);
  const central = sumOf(shown.map((sum) => sum.central));
  const spread = (deviationOf: (sum: ModelSum) => Decimal): Decimal =>
    sumOf(shown.map((sum) => deviationOf(sum).pow(2))).sqrt();
  const [down, up] = [
    spread((sum) => sum.central.minus(sum.low)),
    spread((sum) => sum.high.minus(sum.central)),
  ];
  return {
    low: toDecimalString(central.minus(down).plus(hidden.low)),
    high: toDecimalString(central.plus(up).plus(hidden.high)),
  };
};

/** Adds a quantity to the sum of its model. */
export const addToModel = (
  sums: Map<string | null, Quantity>,
  model: string | null,
  quantity: Quantity,
): void => {
  const known = sums.get(model);
  sums.set(model, known === undefined ? quantity : sumQuantities(known, quantity));
};
