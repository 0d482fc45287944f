import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatMinute,
  formatPercent,
  formatPeriod,
  formatUsd,
} from '../../../../functions/delivery/notifications/text/formatText.ts';
import { DecimalString } from '../../../../schemas/values.ts';

it.each([
  ['0', 'USD 0.00'],
  ['0.000001234', 'USD 0.00000123'],
  ['0.5', 'USD 0.5'],
  ['0.9999', 'USD 1.00'],
  ['1', 'USD 1.00'],
  ['999.995', 'USD 1,000.00'],
  ['1234567.891', 'USD 1,234,567.89'],
])('formats %s as %s', (amount, text) => {
  expect(formatUsd(amount)).toBe(text);
});

it('formats every amount to within a cent, or within half a percent below one dollar', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.nat(), fc.nat({ max: 999_999 })).map(([whole, rest]) => `${whole}.${rest}`),
      (amount) => {
        DecimalString.parse(amount);
        const shown = Number(formatUsd(amount).replace('USD ', '').replaceAll(',', ''));
        expect(Math.abs(shown - Number(amount))).toBeLessThanOrEqual(
          Math.max(0.005_001, 0.005 * Number(amount) * Number(Number(amount) < 1)),
        );
      },
    ),
  );
});

it('formats percentages, times and periods', () => {
  expect(formatPercent('120.5', '100')).toBe('120 %');
  expect(formatMinute('2026-03-14T09:30:59.999Z')).toBe('2026-03-14 09:30 UTC');
  expect(formatPeriod({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' })).toBe(
    'on 2026-03-01',
  );
  expect(formatPeriod({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T01:00:00.000Z' })).toBe(
    'from 2026-03-01 00:00 UTC to 2026-03-01 01:00 UTC',
  );
});
