import { type Decimal, decimal, ZERO } from '../../platform/shared/decimal.ts';
import { MAD_TO_SIGMA, medianOf } from '../trends/median.ts';

const HALF = decimal('0.5');
/** Variance of the median of n normal values, times n, relative to the variance of one value (π / 2). */
const MEDIAN_VARIANCE = Math.PI / 2;
/** Smallest standard deviation assumed for a series, as a share of its level. */
const SHARE_FLOOR = 0.1;
/** A variance that was estimated from n values is raised by this divided by n, because few values can be close by chance. */
const FEW_VALUES = 4;
/** Standard deviations of its median by which a row differs by chance. */
const CHANCE_DEVIATIONS = 1.5;
/** Rows give the spread when their level is within this factor of the level of the first row. A quiet row varies more. */
const SIMILAR_LEVEL = 3;
const SHARE_DIGITS = 6;
/**
 * Calls that arrive one by one are a Poisson process: when the cost of a call has mean c and standard deviation c, n calls
 * cost n · c with variance n · 2c². Real costs have longer tails, so twice that variance is assumed.
 */
const CALL_DISPERSION = 4;

/** The expected cost of a period, and the half-width of its expected range, in USD. */
export interface Expectation {
  readonly central: Decimal;
  readonly width: Decimal;
}

/** The median: the middle value, or the mean of the two middle values. 0 for an empty list. */
export const median = (values: readonly Decimal[]): Decimal => {
  const sorted = values.toSorted((one, other) => one.cmp(other));
  const upper = sorted[Math.floor(sorted.length / 2)] ?? ZERO;
  if (sorted.length % 2 === 1) return upper;
  return upper.plus(sorted[sorted.length / 2 - 1] ?? upper).times(HALF);
};

/** An amount in a ratio, which is no amount of money, so a double is precise enough. */
const double = (amount: Decimal): number => Number(amount.toString());

/** A row whose level is similar to that of another row. A row that is mostly idle is similar to none. */
const isSimilarTo =
  (level: number) =>
  (row: readonly Decimal[]): boolean => {
    const own = double(median(row));
    return own > 0 && own <= SIMILAR_LEVEL * level && own * SIMILAR_LEVEL >= level;
  };

/** The deviations of values from the median of their row, as shares of it. */
const deviations = (rows: readonly (readonly Decimal[])[]): number[] =>
  rows.flatMap((row) => {
    const middle = double(median(row));
    return row.map((value) => Math.abs(double(value) / middle - 1));
  });

/**
 * The value of a gamma distribution with mean 1 that lies so many standard deviations above its mean as in a normal
 * distribution (Wilson and Hilferty 1931). `variance` is that of the distribution.
 */
const gammaQuantile = (variance: number, standardDeviations: number): number =>
  Math.max(0, 1 - variance / 9 + (standardDeviations * Math.sqrt(variance)) / 3) ** 3;

/**
 * The level of the first row, or that of all similar rows when the two differ by less than the first row can by chance.
 * More values give a more certain level.
 */
const levelOf = (
  own: readonly Decimal[],
  similar: readonly (readonly Decimal[])[],
  variance: number,
): { readonly central: Decimal; readonly count: number } => {
  const [level, all] = [median(own), similar.flat()];
  const common = median(all);
  const byChance = CHANCE_DEVIATIONS * Math.sqrt((MEDIAN_VARIANCE * variance) / own.length);
  const isCommon = Math.abs(double(level) / double(common) - 1) <= byChance;
  return isCommon ? { central: common, count: all.length } : { central: level, count: own.length };
};

/**
 * The expected cost of a period, from rows of similar periods. The first row holds the most similar ones and gives the
 * level. All rows of a similar level give the spread. Medians are used because outliers hardly affect them. `tolerance` is
 * the number of standard deviations inside the range. `perCall` is the mean cost of a call in USD.
 *
 * Costs are modelled as gamma distributed, with the variance of the history: traffic whose calls arrive one by one varies
 * little, and traffic that arrives in sessions of many calls varies much and is skewed. Null when most of the first row is
 * idle.
 */
export const expectationOf = (
  rows: readonly (readonly Decimal[])[],
  perCall: Decimal,
  tolerance: number,
): Expectation | null => {
  const own = rows[0] ?? [];
  if (median(own).lte(ZERO)) return null;
  const similar = rows.filter(isSimilarTo(double(median(own))));
  const shares = deviations(similar);
  const spread = MAD_TO_SIGMA * medianOf(shares);
  const varianceAt = (level: number): number =>
    Math.max(
      spread ** 2 * (1 + FEW_VALUES / shares.length),
      SHARE_FLOOR ** 2 + (CALL_DISPERSION * double(perCall)) / level,
    );
  const { central, count } = levelOf(own, similar, varianceAt(double(median(own))));
  const variance = varianceAt(double(central));
  const toleratedDeviations = tolerance * Math.sqrt(1 + MEDIAN_VARIANCE / count);
  // The mean of a skewed distribution is above its median, by a third of the variance.
  const share = (1 + variance / 3) * gammaQuantile(variance, toleratedDeviations) - 1;
  return { central, width: central.times(decimal(share.toFixed(SHARE_DIGITS))) };
};
