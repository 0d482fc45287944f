import { type Decimal, decimal } from '../shared/decimal.ts';

/** The largest figure a record can hold: the contract's 18 integer digits. */
export const LARGEST_FIGURE = decimal('999999999999999999.999999999999');

/**
 * An upper bound, at most the largest figure. Producers may state figures near it, and a record whose range the contract
 * does not allow could be written but never read again.
 */
export const capFigure = (bound: Decimal): Decimal => (bound.gt(LARGEST_FIGURE) ? LARGEST_FIGURE : bound);
