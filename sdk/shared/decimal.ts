/** A decimal number as text, exactly as the API gives it. */
type Decimal = `${number}`;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

export const isDecimal = (text: string): text is Decimal => DECIMAL.test(text);

/** The whole number of units of 10^-`scale`. */
const unitsOf = (text: string, scale: number): bigint => {
  const [, sign = '', whole = '0', fraction = ''] = DECIMAL.exec(text) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`);
};

const scaleOf = (text: string): number => DECIMAL.exec(text)?.[3]?.length ?? 0;

/** The exact sum of the known amounts. Null if all are unknown: a sum of unknown amounts is not zero. */
export const sum = (amounts: readonly (string | null | undefined)[]): string | null => {
  const known = amounts.filter((amount) => amount !== null && amount !== undefined);
  if (known.length === 0) return null;
  const scale = Math.max(...known.map(scaleOf));
  const total = known.reduce((units, amount) => units + unitsOf(amount, scale), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(scale + 1, '0');
  const cut = digits.length - scale;
  const fraction = scale === 0 ? '' : `.${digits.slice(cut)}`;
  return `${total < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction}`;
};

/** Decimals of a quotient. The service prices a call to as many. */
const QUOTIENT_SCALE = 12;

/** An amount divided among a number of calls, rounded half up to 12 decimals. Null without an amount or calls. */
export const quotient = (amount: string | null, count: number): string | null => {
  if (amount === null || count <= 0) return null;
  const scale = Math.max(scaleOf(amount), QUOTIENT_SCALE);
  const divisor = BigInt(count) * 10n ** BigInt(scale - QUOTIENT_SCALE);
  const units = (2n * unitsOf(amount, scale) + divisor) / (2n * divisor);
  const digits = units.toString().padStart(QUOTIENT_SCALE + 1, '0');
  return `${digits.slice(0, -QUOTIENT_SCALE)}.${digits.slice(-QUOTIENT_SCALE)}`.replace(/\.?0+$/, '');
};

/** For geometry and choices of a unit only: the nearest double, and 0 for an unknown amount. */
export const magnitude = (amount: string | null | undefined): number => Number(amount ?? 0);

/** `part` of `whole`, for shares and lengths. 0 if the whole is not positive. */
export const shareOf = (part: string | null | undefined, whole: string | null | undefined): number => {
  const of = magnitude(whole);
  return of > 0 ? magnitude(part) / of : 0;
};
