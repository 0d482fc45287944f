import { isDecimal, magnitude, shareOf, sum } from '../../../sdk/shared/decimal.ts';

export type Measure = 'cost' | 'energy' | 'carbon';
/** What records show beside measures. Reports do not sum water. */
type Amount = Measure | 'water';

/** The unit of a whole chart or range. Two units side by side would be read as one. */
export interface Unit {
  readonly symbol: string;
  /** Power of ten from the API's unit (USD, Wh, g, mL). */
  readonly exponent: number;
}

const USD: Unit = { symbol: '', exponent: 0 };
/** The API's unit, and a thousand of it. */
const UNITS = { energy: ['Wh', 'kWh'], carbon: ['g', 'kg'], water: ['mL', 'L'] } as const;
/** Between a number and its unit: narrow, and without a line break. */
const GAP = '\u202f';

/** The unit in which `largest`, in the API's unit, is readable. */
export const unitOf = (measure: Amount, largest: number): Unit => {
  if (measure === 'cost') return USD;
  const [small, large] = UNITS[measure];
  return largest >= 1_000 ? { symbol: large, exponent: -3 } : { symbol: small, exponent: 0 };
};

/** Three figures at most: an estimate within a factor of five supports no more. */
const estimateDigits = (value: number): number =>
  value === 0 ? 0 : value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;

/** The smallest amount that is written out. */
const LEAST_USD_TEXT = '0.000001';
const LEAST_USD = Number(LEAST_USD_TEXT);

const moneyDigits = (value: number): number => {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.01 && size < 10_000)) return 2;
  return size >= 10_000 ? 0 : size >= 0.0001 ? 4 : 6;
};

export const digitsOf = (measure: Amount, value: number): number =>
  measure === 'cost' ? moneyDigits(value) : estimateDigits(value);

const numberFormats = new Map<number, Intl.NumberFormat>();
const numberFormat = (digits: number): Intl.NumberFormat => {
  const known = numberFormats.get(digits);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  numberFormats.set(digits, format);
  return format;
};

/** A decimal text with `digits` places. Intl reads the text exactly, so no double rounds it before. */
const fixed = (text: string, exponent: number, digits: number): string => {
  const scaled = exponent === 0 ? text : `${text}E${exponent}`;
  return isDecimal(text) ? numberFormat(digits).format(scaled as `${number}`) : text;
};

/** An amount with its unit. Null is an unknown amount, which is not zero. */
export const formatAmount = (
  amount: string | null | undefined,
  measure: Amount,
  unit = unitOf(measure, Math.abs(magnitude(amount))),
  digits = digitsOf(measure, Math.abs(magnitude(amount)) * 10 ** unit.exponent),
): string => {
  if (amount === null || amount === undefined) return 'unknown';
  const size = magnitude(amount);
  // It must not read as none.
  if (measure === 'cost' && size !== 0 && Math.abs(size) < LEAST_USD / 2)
    return size < 0 ? `> −$${LEAST_USD_TEXT}` : `< $${LEAST_USD_TEXT}`;
  const text = fixed(amount, unit.exponent, digits);
  if (measure !== 'cost') return `${text}${unit.symbol && GAP + unit.symbol}`;
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`;
};

export const formatUsd = (amount: string | null | undefined): string => formatAmount(amount, 'cost');

/** The unit of an amount and the range beside it. */
export const unitOfEstimate = (measure: Measure, central: string | null, high: string | null): Unit =>
  unitOf(measure, Math.max(magnitude(central), magnitude(high) / 3));

/** Both ends in one unit and with the same precision, the unit once. Ends that read the same are one amount. */
export const formatRange = (
  low: string | null,
  high: string | null,
  measure: Amount,
  unit = unitOf(measure, magnitude(high)),
): string => {
  if (low === null || high === null) return 'range unknown';
  const [least, most] = [magnitude(low), magnitude(high)];
  // Less than half a cent is not nothing.
  const isFine = measure === 'cost' && least > 0 && least < 0.005;
  const digits = digitsOf(measure, (isFine ? least : most) * 10 ** unit.exponent);
  const bare = measure === 'cost' ? unit : { ...unit, symbol: '' };
  const [first, last] = [low, high].map((end) => formatAmount(end, measure, bare, digits));
  const end = formatAmount(high, measure, unit, digits);
  return first === last ? end : `${first} – ${end}`;
};

export const formatCount = (count: number): string => numberFormat(0).format(count);

/** `1 call`, `2 calls`. */
export const plural = (count: number, word: string, words = `${word}s`): string =>
  `${formatCount(count)} ${count === 1 ? word : words}`;

/** Only nothing is 0 %, and only all is 100 %. */
export const formatShare = (share: number): string => {
  if (share > 0 && share < 0.01) return `<1${GAP}%`;
  if (share >= 0.995 && share < 1) return `>99${GAP}%`;
  return `${numberFormat(0).format(share * 100)}${GAP}%`;
};

/** A share of which a part may be hidden. */
export interface ShareRange {
  readonly least: number;
  readonly most: number;
}

/** `84 %`, or `84–87 %` if privacy hides which of both it is. */
export const formatShareRange = ({ least, most }: ShareRange): string => {
  const [low, high] = [formatShare(least), formatShare(most)];
  return low === high ? high : `${low.replace(`${GAP}%`, '')}–${high}`;
};

/**
 * The share of an amount in a sum. The share of an unknown amount is unknown, not zero. It is a range if `hidden`, an amount of
 * which privacy hides the groups, may belong to it.
 */
export const formatShareOf = (
  part: string | null,
  whole: string | null,
  hidden: string | null = null,
): string =>
  part === null || whole === null
    ? 'unknown'
    : formatShareRange({ least: shareOf(part, whole), most: shareOf(sum([part, hidden]), whole) });

export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes}${GAP}B`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${numberFormat(value < 10 ? 1 : 0).format(value)}${GAP}${unit}`;
};
