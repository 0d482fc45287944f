import * as z from 'zod';

const FRACTION_DIGITS = 12;

/** A decimal string of the API in units of 1e-12, its smallest step. Throws a RangeError for any other string. */
export const parseFixedPoint = (text: string): bigint => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new RangeError('must be a non-negative decimal with at most 12 fractional digits');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
};

/** The same for a difference, which can be negative. */
export const parseDifference = (text: string): bigint =>
  text.startsWith('-') ? -parseFixedPoint(text.slice(1)) : parseFixedPoint(text);

/** The shortest decimal string of an amount in units of 1e-12. */
export const formatFixedPoint = (fixedPoint: bigint): string => {
  if (fixedPoint < 0n) return `-${formatFixedPoint(-fixedPoint)}`;
  const digits = fixedPoint.toString().padStart(FRACTION_DIGITS + 1, '0');
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '');
  return digits.slice(0, -FRACTION_DIGITS) + (fraction === '' ? '' : `.${fraction}`);
};

/** JSON form of a fixed-point number (units of 1e-12) in work documents: a decimal string. */
export const StoredFixedPoint = z.codec(z.string(), z.bigint(), {
  decode: parseDifference,
  encode: formatFixedPoint,
});
