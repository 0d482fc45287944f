import { decimal } from '../../functions/shared/decimal.ts';
import type { Total } from './summary.ts';

/** What stands where a figure is not known: never 0. */
const UNKNOWN = 'unknown';
/** Estimates of energy and carbon are good for no more (their ranges span a factor of two). */
const SIGNIFICANT_DIGITS = 2;
const MONEY_DIGITS = 4;

const grouped = (plain: string): string => {
  const [whole = '', fraction] = plain.split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
};

export const countText = (count: number): string => grouped(String(count));

/** USD with four decimals; what is more than nothing never reads as nothing. */
export const moneyText = ({ known }: Total): string => {
  if (known === null) return UNKNOWN;
  const smallest = decimal('10').pow(-MONEY_DIGITS);
  const value = decimal(known);
  return value.gt('0') && value.lt(smallest)
    ? `<${smallest.toFixed()}`
    : grouped(value.toFixed(MONEY_DIGITS));
};

/** Two significant digits, and a thousand of the unit as one of the next. */
const measured = ({ known }: Total, unit: string, thousand: string): string => {
  if (known === null) return UNKNOWN;
  const value = decimal(known);
  if (value.eq('0')) return `0 ${unit}`;
  const rounded = value.prec(SIGNIFICANT_DIGITS);
  const [shown, shownUnit] = rounded.gte('1000') ? [rounded.div('1000'), thousand] : [rounded, unit];
  const decimals = Math.max(0, SIGNIFICANT_DIGITS - 1 - shown.e);
  return `${grouped(shown.toFixed(decimals))} ${shownUnit}`;
};

export const energyText = (total: Total): string => measured(total, 'Wh', 'kWh');

export const carbonText = (total: Total): string => measured(total, 'g', 'kg');
