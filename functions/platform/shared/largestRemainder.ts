import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import type { Decimal } from './decimal.ts';

/** The relative weight of one recipient. The key null means: unallocated. */
export interface Weight {
  readonly key: string | null;
  readonly weight: bigint | Decimal;
}

export interface Part {
  readonly key: string | null;
  /** A decimal string with at most 12 fractional digits. */
  readonly amount: string;
}

/** Scales all weights by the same power of ten to integers. */
const wholeWeights = (weights: readonly Weight[]): bigint[] => {
  const decimals = weights.map(({ weight }) => {
    const text = typeof weight === 'bigint' ? weight.toString() : weight.toFixed();
    const [whole = '', fraction = ''] = text.split('.');
    return { whole, fraction };
  });
  const digits = Math.max(...decimals.map(({ fraction }) => fraction.length));
  return decimals.map(({ whole, fraction }) => BigInt(whole + fraction.padEnd(digits, '0')));
};

/** Compares keys by code units, not by locale, so that ties break the same way on every machine. Null comes last. */
export const compareKeys = (one: string | null, other: string | null): number => {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
};

/**
 * Divides an amount by weights so that the parts sum to it exactly (largest-remainder method of Hamilton). Each part is
 * its quota rounded down to 1e-12. The rest goes in units of 1e-12 to the largest remainders, ties by key. If all
 * weights are zero, the parts are equal. Without weights, the whole amount is unallocated (key null).
 * Keys are unique. The parts keep the order of the weights. Throws a RangeError on a negative weight.
 */
export const apportion = (amount: string, weights: readonly Weight[]): readonly Part[] => {
  if (weights.length === 0) return apportion(amount, [{ key: null, weight: 1n }]);
  const integerWeights = wholeWeights(weights);
  if (integerWeights.some((weight) => weight < 0n)) throw new RangeError('a weight is negative');
  const whole = parseFixedPoint(amount);
  const sum = integerWeights.reduce((total, weight) => total + weight, 0n);
  const divisor = sum === 0n ? BigInt(weights.length) : sum;

  let remaining = whole;
  const quotas = weights.map(({ key }, index) => {
    const product = whole * (sum === 0n ? 1n : (integerWeights[index] ?? 0n));
    const share = product / divisor;
    remaining -= share;
    return { key, share, remainder: product % divisor };
  });
  const ranked = quotas.toSorted((a, b) =>
    a.remainder === b.remainder ? compareKeys(a.key, b.key) : a.remainder > b.remainder ? -1 : 1,
  );
  for (const quota of ranked.slice(0, Number(remaining))) quota.share += 1n;
  return quotas.map(({ key, share }) => ({ key, amount: formatFixedPoint(share) }));
};
