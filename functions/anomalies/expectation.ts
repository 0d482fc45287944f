import { type Decimal, decimal } from '../shared/decimal.ts';

const ZERO = decimal('0');
const HALF = decimal('0.5');
/** Turns a median absolute deviation into a standard deviation where values are normal (1 / Φ⁻¹(3/4)). */
const MAD_TO_SIGMA = 1.4826;
/** Variance of the median of n normal values, times n, in variances of one (π / 2): a level is known no better than that. */
const MEDIAN_VARIANCE = Math.PI / 2;
/** However steady a series was: so much of its level is still no surprise. */
const SHARE_FLOOR = 0.1;
const SHARE_DIGITS = 6;
/**
 * Calls come as a Poisson process at best: n calls of mean cost c, each varying about as much as it costs, sum to n · c
 * with variance n · 2c². Costs of calls have longer tails than that, so twice of it is allowed for.
 */
const CALL_DISPERSION = decimal('4');
/** Where calls are few, the level itself is known to some calls only. */
const CALLS_UNSURE = decimal('2');

/** What a period was expected to cost, and how much more would have been no surprise. */
export interface Expectation {
  readonly central: Decimal;
  readonly width: Decimal;
}

/** The middle value, or the mean of the two in the middle; 0 of none. */
export const median = (values: readonly Decimal[]): Decimal => {
  const sorted = values.toSorted((one, other) => one.cmp(other));
  const upper = sorted[Math.floor(sorted.length / 2)] ?? ZERO;
  if (sorted.length % 2 === 1) return upper;
  return upper.plus(sorted[sorted.length / 2 - 1] ?? upper).times(HALF);
};

const middleOf = (shares: readonly number[]): number => {
  const sorted = shares.toSorted((one, other) => one - other);
  const [lower = 0, upper = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (lower + upper) / 2;
};

/** A ratio of two amounts: no money any more, so a double will do. */
const ratio = (part: Decimal, whole: Decimal): number => Number(part.toString()) / Number(whole.toString());

/** How far values lie from the middle of their own row, as shares of it; rows that are mostly idle say nothing. */
const deviations = (rows: readonly (readonly Decimal[])[]): number[] =>
  rows.flatMap((row) => {
    const middle = median(row);
    return middle.gt(ZERO) ? row.map((value) => Math.abs(ratio(value, middle) - 1)) : [];
  });

/**
 * What is expected of a period from rows of periods like it. The first row holds those that are most like it and gives
 * the level, all rows together tell how much such periods differ: medians, which a few outliers do not move. `tolerance`
 * is how many standard deviations are no surprise. Levels swing by factors, so the part of the spread that chance does
 * not explain is taken as lognormal; what the chance of single calls explains (`perCall`: the mean cost of one) is added
 * as it is. Null where most of the first row is idle.
 */
export const expectationOf = (
  rows: readonly (readonly Decimal[])[],
  perCall: Decimal,
  tolerance: number,
): Expectation | null => {
  const central = median(rows[0] ?? []);
  if (central.lte(ZERO)) return null;
  const chance = central.plus(perCall.times(CALLS_UNSURE)).times(perCall).times(CALL_DISPERSION).sqrt();
  const byChance = ratio(chance, central);
  const spread = MAD_TO_SIGMA * middleOf(deviations(rows));
  const swing = Math.max(SHARE_FLOOR, Math.sqrt(Math.max(0, spread ** 2 - byChance ** 2)));
  const surprise = tolerance * Math.sqrt(1 + MEDIAN_VARIANCE / (rows[0]?.length ?? 1));
  const share = Math.hypot(Math.exp(surprise * swing) - 1, surprise * byChance);
  return { central, width: central.times(decimal(share.toFixed(SHARE_DIGITS))) };
};
