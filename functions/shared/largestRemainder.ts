import { parseFixedPoint } from '../../schemas/attribution/allocation.ts';
import type { Decimal } from './decimal.ts';

/** Somebody's claim to a part, relative to the other weights. The key null stands for nobody. */
export interface Weight {
  readonly key: string | null;
  readonly weight: bigint | Decimal;
}

export interface Part {
  readonly key: string | null;
  /** A decimal string with at most 12 fractional digits. */
  readonly amount: string;
}

const PICO_DIGITS = 12;

/** The shortest decimal string of whole picos (1e-12). */
export const formatFixedPoint = (fixedPoint: bigint): string => {
  const digits = fixedPoint.toString().padStart(PICO_DIGITS + 1, '0');
  const fraction = digits.slice(-PICO_DIGITS).replace(/0+$/, '');
  return digits.slice(0, -PICO_DIGITS) + (fraction === '' ? '' : `.${fraction}`);
};

/** Weights as integers in the ratio of the given ones: all multiplied by the same power of ten. */
const wholeWeights = (weights: readonly Weight[]): bigint[] => {
  const decimals = weights.map(({ weight }) => {
    const text = typeof weight === 'bigint' ? weight.toString() : weight.toFixed();
    const [whole = '', fraction = ''] = text.split('.');
    return { whole, fraction };
  });
  const digits = Math.max(...decimals.map(({ fraction }) => fraction.length));
  return decimals.map(({ whole, fraction }) => BigInt(whole + fraction.padEnd(digits, '0')));
};

/** Keys by their code units, never by a locale, so that every machine breaks a tie the same way; nobody comes last. */
export const compareKeys = (one: string | null, other: string | null): number => {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
};

/**
 * Divides an amount by weights so that the parts sum to it exactly, by Hamilton's method: each gets its quota rounded
 * down to a pico (1e-12), and what is left goes by single picos to the largest remainders, ties by key.
 * Weights that are all zero divide evenly; without any weight the whole is nobody's.
 * Keys are unique; the parts come in the order of the weights. Throws a RangeError on a negative weight.
 */
export const apportion = (amount: string, weights: readonly Weight[]): readonly Part[] => {
  if (weights.length === 0) return apportion(amount, [{ key: null, weight: 1n }]);
  const given = wholeWeights(weights);
  if (given.some((weight) => weight < 0n)) throw new RangeError('a weight is negative');
  const whole = parseFixedPoint(amount);
  const sum = given.reduce((total, weight) => total + weight, 0n);
  const divisor = sum === 0n ? BigInt(weights.length) : sum;

  let left = whole;
  const quotas = weights.map(({ key }, index) => {
    const product = whole * (sum === 0n ? 1n : (given[index] ?? 0n));
    const pico = product / divisor;
    left -= pico;
    return { key, pico, remainder: product % divisor };
  });
  const ranked = quotas.toSorted((a, b) =>
    a.remainder === b.remainder ? compareKeys(a.key, b.key) : a.remainder > b.remainder ? -1 : 1,
  );
  for (const quota of ranked.slice(0, Number(left))) quota.pico += 1n;
  return quotas.map(({ key, pico }) => ({ key, amount: formatFixedPoint(pico) }));
};
