import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Big, decimal, toDecimalString, wholeNumber } from '../../../functions/platform/shared/decimal.ts';
import { DecimalString } from '../../../schemas/values.ts';

const TRILLION = 10n ** 12n;
const spell = (units: bigint): string =>
  `${units / TRILLION}.${String(units % TRILLION).padStart(12, '0')}`.replace(/\.?0+$/, '');

const units = fc.bigInt({ min: 0n, max: 10n ** 30n - 1n });

describe('sums and products', () => {
  it('are exact to 12 fractional digits', () => {
    const sum = decimal('0.1').plus(decimal('0.2'));
    const beyond = wholeNumber(Number.MAX_SAFE_INTEGER).plus(decimal('1')).plus(decimal('0.000000000001'));

    expect(toDecimalString(sum)).toBe('0.3');
    expect(toDecimalString(beyond)).toBe('9007199254740992.000000000001');
  });

  it('agree with integer arithmetic in any order', () => {
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 30 }), (parts) => {
        const sum = parts
          .map(spell)
          .map(decimal)
          .reduce((total, part) => total.plus(part));

        expect(toDecimalString(sum)).toBe(spell(parts.reduce((total, part) => total + part)));
      }),
    );
  });
});

describe('toDecimalString', () => {
  it('round-trips within the limits of the API', () => {
    fc.assert(
      fc.property(units, (value) => {
        const text = toDecimalString(decimal(spell(value)));

        expect(text).toBe(spell(value));
        expect(DecimalString.parse(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['0.000000000001', '0.000000000001'],
    ['1e-12', '0.000000000001'],
    ['1e17', '100000000000000000'],
    ['1.500', '1.5'],
    ['0.0', '0'],
    ['-0', '0'],
    // Half to even at the thirteenth digit.
    ['0.0000000000005', '0'],
    ['0.0000000000015', '0.000000000002'],
    ['0.00000000000050000001', '0.000000000001'],
  ])('of %s is %s', (value, text) => {
    expect(toDecimalString(decimal(value))).toBe(text);
  });
});

describe('a float', () => {
  it('is refused, also if it is exact', () => {
    const one: unknown = 1;

    expect(() => Reflect.apply(Big, undefined, [one])).toThrow();
    expect(() => Reflect.apply(Big('1').plus, Big('1'), [one])).toThrow();
  });

  it.each([0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is no count',
    (value) => {
      expect(() => wholeNumber(value)).toThrow(new RangeError('not a safe whole number'));
    },
  );
});

it.each(['', ' 1', '1,5', '0x10', 'NaN', 'Infinity', '1.2.3'])('refuses %j', (text) => {
  expect(() => decimal(text)).toThrow();
});
