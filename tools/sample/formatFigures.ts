import { decimal } from '../../functions/platform/shared/decimal.ts';
import type { Total } from './summary.ts';

/** Text for an unknown figure. Unknown is never shown as 0. */
const UNKNOWN = 'unknown';
/** Energy and carbon estimates have ranges of a factor of two, so more digits would be misleading. */
const SIGNIFICANT_DIGITS = 2;
const MONEY_DIGITS = 4;

const groupThousands = (plain: string): string => {
  const [whole = '', fraction] = plain.split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
};

export const formatCount = (count: number): string => groupThousands(String(count));

/** USD with four decimals. A positive amount is never shown as 0. */
export const formatMoney = ({ known }: Total): string => {
  if (known === null) return UNKNOWN;
  const smallest = decimal('10').pow(-MONEY_DIGITS);
  const value = decimal(known);
  return value.gt('0') && value.lt(smallest)
    ? `<${smallest.toFixed()}`
    : groupThousands(value.toFixed(MONEY_DIGITS));
};

/** Two significant digits. From 1,000 on, uses the larger unit. */
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
