import { type Decimal, decimal } from '../../platform/shared/decimal.ts';

/** The largest figure a record can hold: 18 integer digits in the API. */
export const LARGEST_FIGURE = decimal('999999999999999999.999999999999');

/**
 * An upper bound, at most the largest figure. Producers can report figures near it. Without the cap, the range of such
 * a record would violate the schema: the record could be written but not read.
 */
export const capFigure = (bound: Decimal): Decimal => (bound.gt(LARGEST_FIGURE) ? LARGEST_FIGURE : bound);
