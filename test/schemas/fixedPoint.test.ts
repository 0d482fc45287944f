import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFixedPoint, parseFixedPoint } from '../../schemas/fixedPoint.ts';

describe('formatFixedPoint', () => {
  it('writes the shortest decimal of a positive, zero or negative amount', () => {
    const units = [0n, 1n, -1n, 10n ** 12n, -(10n ** 12n), -1_500_000_000_000n];

    expect(units.map(formatFixedPoint)).toEqual([
      '0',
      '0.000000000001',
      '-0.000000000001',
      '1',
      '-1',
      '-1.5',
    ]);
  });

  it('writes the sign of a negative amount before the decimal of its absolute value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (units) => {
        const text = formatFixedPoint(units);

        expect(parseFixedPoint(text)).toBe(units);
        expect(formatFixedPoint(-units)).toBe(`-${text}`);
      }),
    );
  });
});
