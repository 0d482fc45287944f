import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOf, sum } from '../../sdk/shared/decimal.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const cut = digits.length - scale;
    const fraction = scale === 0 ? '' : `.${digits.slice(cut)}`;
    return { text: `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction}`, units, scale };
  });

describe('the sum of decimal texts', () => {
  it('is exact where doubles are not', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3');
    expect(sum(['9007199254740993', '0.000000000001'])).toBe('9007199254740993.000000000001');
  });

  it('leaves unknown amounts out, and is unknown if all are', () => {
    expect(sum(['1.5', null, undefined])).toBe('1.5');
    expect(sum([null])).toBeNull();
    expect(sum([])).toBeNull();
  });

  it('keeps the sign of a sum between minus one and zero', () => {
    expect(sum(['-0.5', '0.25'])).toBe('-0.25');
  });

  it('equals the sum of the whole units, for any amounts', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 1, maxLength: 8 }), (amounts) => {
        const scale = Math.max(...amounts.map((amount) => amount.scale));
        const units = amounts.reduce(
          (total, amount) => total + amount.units * 10n ** BigInt(scale - amount.scale),
          0n,
        );
        const [whole = '', fraction = ''] = (sum(amounts.map(({ text }) => text)) ?? '').split('.');
        expect(BigInt(whole + fraction.padEnd(scale, '0'))).toBe(units);
      }),
    );
  });
});

it('gives a share of 0 when the whole is zero or unknown', () => {
  expect(shareOf('1', '4')).toBe(0.25);
  expect(shareOf('1', '0')).toBe(0);
  expect(shareOf('1', null)).toBe(0);
});
