import Big from 'big.js';

/** Fractional digits of money, energy and carbon: the limit of the API, and exact for every price per token. */
const FRACTION_DIGITS = 12;

// Division is the only inexact step. 30 digits keep its error far below the 12 digits of the result.
Big.DP = 30;
Big.RM = Big.roundHalfEven;
Big.NE = -FRACTION_DIGITS - 1;
Big.PE = 40;
// Refuses JavaScript numbers, so that no float can enter an amount of money, energy or carbon.
Big.strict = true;

export { Big };
export type Decimal = Big;

/** Parses a decimal string. Throws on anything else. */
export const decimal = (text: string): Decimal => Big(text);

export const ZERO = Big('0');

/** The exact sum. */
export const sumOf = (amounts: readonly (Decimal | string)[]): Decimal =>
  amounts.reduce<Decimal>((sum, amount) => sum.plus(amount), ZERO);

/** The exact sum of two decimal strings. */
export const addDecimals = (one: string, other: string): string =>
  one === '0' ? other : other === '0' ? one : decimal(one).plus(other).toFixed();

/** The exact sum of decimal strings. */
export const sumDecimals = (amounts: readonly string[]): string => sumOf(amounts).toFixed();

/** Converts an integer, such as a token count. Throws a RangeError on fractions and unsafe integers. */
export const wholeNumber = (value: number): Decimal => {
  if (!Number.isSafeInteger(value)) throw new RangeError('not a safe whole number');
  return Big(String(value));
};

/** The format of the API: at most 12 fractional digits, rounded half-even, no exponent, no trailing zeros. */
export const toDecimalString = (value: Decimal): string => value.round(FRACTION_DIGITS).toFixed();
