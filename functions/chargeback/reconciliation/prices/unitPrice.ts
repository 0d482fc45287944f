import { type Decimal, decimal, sumOf } from '../../../platform/shared/decimal.ts';

/** What a bill charges for a number of tokens of one kind, which is not zero. */
export interface TokenCharge {
  readonly cost: string;
  readonly count: number;
}

const TOKENS_PER_PRICE = decimal('1000000');
/** Fractional digits that a contract price can have. */
const PRICE_DIGITS = 6;
/** Fractional digits of an amount in cents. A bill with fewer is one whose trailing zeros were dropped. */
const CENT_DIGITS = 2;
/** Providers sum floating-point numbers, so their amounts are never better than this. */
const FLOAT_ERROR = decimal('0.000000001');
/** The widest range of prices, as a share of the price, that still says what the price is. */
const RANGE_MAXIMUM = decimal('0.01');

const fractionDigits = (amount: string): number => amount.split('.')[1]?.length ?? 0;
const larger = (one: Decimal, other: Decimal): Decimal => (one.gt(other) ? one : other);
const smaller = (one: Decimal, other: Decimal): Decimal => (one.lt(other) ? one : other);

/** How far the amounts of a bill can be from the exact charge: half a unit of the last digit that the bill has. */
export const roundingOf = (amounts: readonly string[]): Decimal => {
  const digits = Math.max(CENT_DIGITS, ...amounts.map(fractionDigits));
  return larger(decimal(`0.${'0'.repeat(digits)}5`), FLOAT_ERROR);
};

/**
 * The one price per million tokens that explains every charge up to the rounding of the bill, with as few digits as
 * possible. Pass at least one charge. Null if the charges have different prices, if rounding hides the price, or if no
 * contract price has so many digits.
 */
export const unitPriceOf = (charges: readonly TokenCharge[], rounding: Decimal): string | null => {
  const priceOf = (cost: Decimal, count: Decimal): Decimal => cost.times(TOKENS_PER_PRICE).div(count);
  const ranges = charges.map(({ cost, count }) => ({
    low: priceOf(decimal(cost).minus(rounding), decimal(String(count))),
    high: priceOf(decimal(cost).plus(rounding), decimal(String(count))),
  }));
  const low = ranges.map((range) => range.low).reduce(larger);
  const high = ranges.map((range) => range.high).reduce(smaller);
  const cost = sumOf(charges.map((charge) => charge.cost));
  const count = sumOf(charges.map((charge) => String(charge.count)));
  const mean = smaller(larger(priceOf(cost, count), low), high);
  for (let digits = 0; digits <= PRICE_DIGITS; digits += 1) {
    const price = mean.round(digits);
    if (price.lt(low) || price.gt(high)) continue;
    return high.minus(low).lte(price.times(RANGE_MAXIMUM)) ? price.toFixed() : null;
  }
  return null;
};
