import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectionText } from '../../console/src/format/selectionText.ts';
import { sum } from '../../sdk/shared/decimal.ts';

const row = (central: string | null, low = central, high = central, invocations = 10, unknown = 0) => ({
  central,
  low,
  high,
  invocations,
  unknown,
});

describe('the sum of selected rows', () => {
  it('has a range where the amounts have one, and names what no amount includes', () => {
    expect(selectionText([row('10', '9', '12'), row('5', '5', '5', 3, 2)], 'cost')).toBe(
      '2 rows selected: $15.00 · range $14.00 – $17.00 · 13 calls · 2 of unknown amount',
    );
  });

  it('is unknown, not 0, if every amount is', () => {
    expect(selectionText([row(null, null, null, 4, 4)], 'cost')).toBe(
      '1 row selected: unknown · 4 calls · 4 of unknown amount',
    );
  });

  it('does not count calls where each row is one', () => {
    expect(selectionText([row('1', null, null, 1), row('2', null, null, 1)], 'cost')).toBe(
      '2 rows selected: $3.00',
    );
  });

  it('is exact for amounts that doubles cannot add', () => {
    const amount = fc
      .bigInt({ min: 0n, max: 10n ** 20n })
      .map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), (amounts) => {
        const exact = amounts.reduce((total, text) => total + BigInt(text.replace('.', '')), 0n);
        const text = selectionText(
          amounts.map((one) => row(one)),
          'cost',
        );
        expect(sum(amounts)?.replace('.', '')).toMatch(new RegExp(`^0*${exact}$`));
        expect(text).toContain('selected: $');
      }),
    );
  });
});
