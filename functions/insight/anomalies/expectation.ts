import { type Decimal, decimal } from '../../platform/shared/decimal.ts';
import { medianOf } from './median.ts';

const ZERO = decimal('0');
const HALF = decimal('0.5');
/** Converts a median absolute deviation to a standard deviation, for normal values: 1 / Φ⁻¹(3/4). */
const MAD_TO_SIGMA = 1.4826;
/** Variance of the median of n normal values, times n, relative to the variance of one value (π / 2). */
const MEDIAN_VARIANCE = Math.PI / 2;
/** Smallest standard deviation assumed for a series, as a share of its level. */
const SHARE_FLOOR = 0.1;
const SHARE_DIGITS = 6;
/**
 * Calls are modelled as a Poisson process. When the cost of a call has mean c and standard deviation c, n calls cost
 * n · c with variance n · 2c². Real costs have longer tails, so twice that variance is allowed.
 */
const CALL_DISPERSION = decimal('4');
/** Calls added to the level, because with few calls the level itself is uncertain. */
const UNCERTAIN_CALLS = decimal('2');

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

/** The deviations of values from the median of their row, as shares of it. Mostly idle rows are left out. */
const deviations = (rows: readonly (readonly Decimal[])[]): number[] =>
  rows.flatMap((row) => {
    const middle = double(median(row));
    return middle > 0 ? row.map((value) => Math.abs(double(value) / middle - 1)) : [];
  });

/**
 * The expected cost of a period, from rows of similar periods. The first row holds the most similar ones and gives the
 * level. All rows together give the spread. Medians are used because outliers hardly affect them. `tolerance` is the
 * number of standard deviations inside the range. `perCall` is the mean cost of a call in USD. The spread has two parts:
 * the random variation of single calls, which is normal, and the rest, which is lognormal because levels change by
 * factors. Null when most of the first row is idle.
 */
export const expectationOf = (
  rows: readonly (readonly Decimal[])[],
  perCall: Decimal,
  tolerance: number,
): Expectation | null => {
  const central = median(rows[0] ?? []);
  if (central.lte(ZERO)) return null;
  const randomVariance = central.plus(perCall.times(UNCERTAIN_CALLS)).times(perCall).times(CALL_DISPERSION);
  const randomShare = Math.sqrt(double(randomVariance)) / double(central);
  const spread = MAD_TO_SIGMA * medianOf(deviations(rows));
  const levelDeviation = Math.max(SHARE_FLOOR, Math.sqrt(Math.max(0, spread ** 2 - randomShare ** 2)));
  const toleratedDeviations = tolerance * Math.sqrt(1 + MEDIAN_VARIANCE / (rows[0]?.length ?? 1));
  const share = Math.hypot(
    Math.exp(toleratedDeviations * levelDeviation) - 1,
    toleratedDeviations * randomShare,
  );
  return { central, width: central.times(decimal(share.toFixed(SHARE_DIGITS))) };
};
