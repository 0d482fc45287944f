import { Big, decimal } from '../../../functions/platform/shared/decimal.ts';

/** A number of a JSON text as it is written there. A float would change its digits. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reads JSON without passing any number through a float. */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new ExactNumber(context?.source ?? String(value)) : value,
  );

const PRICE_DIGITS = 6;
/** Tables contain noise of conversions in the last digits. A price that loses more than this by rounding is too small. */
const ROUNDING_MAXIMUM = '0.001';
const HALF_UP = 1;

/** A price of a table in USD per million, at most six fractional digits. Null if the format cannot hold it. */
export const perMillion = (price: ExactNumber, units: string): string | null => {
  const exact = decimal(price.text).times(units);
  const rounded = exact.round(PRICE_DIGITS, HALF_UP);
  const isHeld = exact.gte('0') && exact.lt('1000000000');
  const isNear = rounded.minus(exact).abs().lte(exact.times(ROUNDING_MAXIMUM));
  return isHeld && isNear ? rounded.toFixed() : null;
};

export const isZero = (price: ExactNumber): boolean => Big(price.text).eq('0');

/** The members of a JSON object, or none. */
export const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
    ? Object.entries(value)
    : [];

export const memberOf = (value: unknown, name: string): unknown =>
  membersOf(value).find(([key]) => key === name)?.[1];

export const textOf = (value: unknown, name: string): string | undefined => {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
};

export const integerOf = (value: unknown): number | undefined => {
  const number = value instanceof ExactNumber ? Number(value.text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
};
