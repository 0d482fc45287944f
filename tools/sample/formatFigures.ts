import { decimal } from '../../functions/shared/decimal.ts';
import type { Total } from './summary.ts';

/** What stands where a figure is not known: never 0. */
const UNKNOWN = 'unknown';
/** Estimates of energy and carbon are good for no more (their ranges span a factor of two). */
const SIGNIFICANT_DIGITS = 2;
const MONEY_DIGITS = 4;

const groupThousands = (plain: string): string => {
  const [whole = '', fraction] = plain.split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
};

export const formatCount = (count: number): string => groupThousands(String(count));

/** USD with four decimals; what is more than nothing never reads as nothing. */
export const formatMoney = ({ known }: Total): string => {
  if (known === null) return UNKNOWN;
  const smallest = decimal('10').pow(-MONEY_DIGITS);
  const value = decimal(known);
  return value.gt('0') && value.lt(smallest)
    ? `<${smallest.toFixed()}`
    : groupThousands(value.toFixed(MONEY_DIGITS));
};

/** Two significant digits, and a thousand of the unit as one of the next. */
const formatQuantity = ({ known }: Total, unit: string, thousand: string): string => {
  if (known === null) return UNKNOWN;
  const value = decimal(known);
  if (value.eq('0')) return `0 ${unit}`;
  const rounded = value.prec(SIGNIFICANT_DIGITS);
  const [shown, shownUnit] = rounded.gte('1000') ? [rounded.div('1000'), thousand] : [rounded, unit];
  const decimals = Math.max(0, SIGNIFICANT_DIGITS - 1 - shown.e);
  return `${groupThousands(shown.toFixed(decimals))} ${shownUnit}`;
};

export const formatEnergy = (total: Total): string => formatQuantity(total, 'Wh', 'kWh');

export const formatCarbon = (total: Total): string => formatQuantity(total, 'g', 'kg');
