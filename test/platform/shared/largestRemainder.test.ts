import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { apportion, type Weight } from '../../../functions/platform/shared/largestRemainder.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';

const weighted = (weights: Record<string, bigint>): Weight[] =>
  Object.entries(weights).map(([key, weight]) => ({ key, weight }));
const amountsOf = (amount: string, weights: readonly Weight[]) =>
  apportion(amount, weights).map((part) => part.amount);

/** Amounts from 1e-12 to the largest decimal of the API. */
const amounts = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 1_000n }),
    fc.bigInt({ min: 0n, max: 10n ** 15n }),
    fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }),
  )
  .map(formatFixedPoint);
const weightLists = fc
  .array(
    fc.oneof(
      fc.constantFrom(0n, 1n, 10n ** 42n),
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map((units) => decimal(formatFixedPoint(units))),
    ),
    { minLength: 1, maxLength: 300 },
  )
  .map((weights) => weights.map((weight, index): Weight => ({ key: `owner-${index}`, weight })));

const sumOf = (parts: readonly { readonly amount: string }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + parseFixedPoint(amount), 0n);

/** A weight as an integer number of the smallest unit of all generated weights. */
const wholeOf = ({ weight }: Weight): bigint =>
  parseFixedPoint(typeof weight === 'bigint' ? `${weight}` : weight.toFixed());

describe('apportion', () => {
  it('gives the rest to the largest remainders', () => {
    const parts = amountsOf('0.00000000001', weighted({ a: 60n, b: 25n, c: 15n }));

    // Quotas of 6, 2.5 and 1.5 picos: the tenth goes to b, the first of two equal remainders
    expect(parts).toEqual(['0.000000000006', '0.000000000003', '0.000000000001']);
  });

  it('breaks ties by code units of the key, independent of the order of weights', () => {
    const parts = apportion('0.000000000002', weighted({ é: 1n, b: 1n, Z: 1n, a: 1n }));

    expect(parts.filter(({ amount }) => amount !== '0').map(({ key }) => key)).toEqual(['Z', 'a']);
  });

  it('prefers named keys over null in a tie, in any order of the weights', () => {
    const [unallocated, named] = [
      { key: null, weight: 1n },
      { key: 'z', weight: 1n },
    ];
    const [nothing, unit] = [
      { key: null, amount: '0' },
      { key: 'z', amount: '0.000000000001' },
    ];

    expect(apportion('0.000000000001', [unallocated, named])).toEqual([nothing, unit]);
    expect(apportion('0.000000000001', [named, unallocated])).toEqual([unit, nothing]);
  });

  it('divides evenly if all weights are zero', () => {
    expect(amountsOf('1', weighted({ a: 0n, b: 0n, c: 0n }))).toEqual([
      '0.333333333334',
      '0.333333333333',
      '0.333333333333',
    ]);
  });

  it('returns the whole amount with key null without weights', () => {
    expect(apportion('1.50', [])).toEqual([{ key: null, amount: '1.5' }]);
  });

  it('compares decimal and integer weights on one scale', () => {
    const parts = amountsOf('4', [
      { key: 'a', weight: decimal('0.5') },
      { key: 'b', weight: 1n },
      { key: 'c', weight: decimal('2.50') },
    ]);

    expect(parts).toEqual(['0.5', '1', '2.5']);
  });

  it.each(['-1', '1e3', '', '.5', '0.0000000000001'])('throws for the amount %j', (amount) => {
    expect(() => apportion(amount, weighted({ a: 1n }))).toThrow(RangeError);
  });

  it.each([[-1n], [decimal('-0.5')]])('throws for a negative weight, also beside positive ones', (weight) => {
    const positive = { key: 'b', weight: 5n };

    expect(() => apportion('1', [{ key: 'a', weight }])).toThrow('a weight is negative');
    expect(() => apportion('1', [positive, { key: 'a', weight }])).toThrow(RangeError);
    expect(() => apportion('1', [{ key: 'a', weight }, positive])).toThrow(RangeError);
  });
});

describe('apportion for any input', () => {
  it('sums to the amount exactly', () => {
    fc.assert(
      fc.property(amounts, weightLists, (amount, weights) => {
        expect(sumOf(apportion(amount, weights))).toBe(parseFixedPoint(amount));
      }),
    );
  });

  it('keeps every part within 1e-12 of its quota, and gives zero for weight zero', () => {
    fc.assert(
      fc.property(amounts, weightLists, (amount, weights) => {
        const total = weights.reduce((sum, weight) => sum + wholeOf(weight), 0n);
        fc.pre(total > 0n);

        const parts = apportion(amount, weights);

        for (const [index, weight] of weights.entries()) {
          const units = parseFixedPoint(parts[index]?.amount ?? '');
          const floor = (parseFixedPoint(amount) * wholeOf(weight)) / total;
          expect(units === floor || units === floor + 1n).toBe(true);
          if (wholeOf(weight) === 0n) expect(units).toBe(0n);
        }
      }),
    );
  });

  it('does not depend on the order of the weights', () => {
    fc.assert(
      fc.property(amounts, weightLists, (amount, weights) => {
        const forward = apportion(amount, weights);

        expect(apportion(amount, weights.toReversed()).toReversed()).toEqual(forward);
      }),
    );
  });
});
