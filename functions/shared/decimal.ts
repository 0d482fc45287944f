import Big from 'big.js';

/** Fractional digits kept for money, energy and carbon: the contract's limit, and exact for every price per token. */
const FRACTION_DIGITS = 12;

// Quotients are the only inexact step; 30 digits keep their error far below the 12 digits that are kept.
Big.DP = 30;
Big.RM = Big.roundHalfEven;
Big.NE = -FRACTION_DIGITS - 1;
Big.PE = 40;
// Refuses JavaScript numbers, so a float cannot enter the path of money, energy or carbon by accident.
Big.strict = true;

export { Big };
export type Decimal = Big;

/** Reads a decimal string. Throws on anything else. */
export const decimal = (text: string): Decimal => Big(text);

/** Reads a whole number, such as a token count. Throws a RangeError on fractions and unsafe integers. */
export const wholeNumber = (value: number): Decimal => {
  if (!Number.isSafeInteger(value)) throw new RangeError('not a safe whole number');
  return Big(String(value));
};

/** The wire spelling: at most 12 fractional digits, half-even, no exponent and no trailing zeros. */
export const toDecimalString = (value: Decimal): string => value.round(FRACTION_DIGITS).toFixed();
