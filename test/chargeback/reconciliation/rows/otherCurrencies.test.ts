import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../../functions/chargeback/reconciliation/deliveries/delivery.ts';
import { isSamePurchase } from '../../../../functions/chargeback/reconciliation/rows/purchase.ts';
import { readRows } from '../../../../functions/chargeback/reconciliation/rows/readRows.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { line, row } from './billRow.ts';

describe('rows in another currency', () => {
  const SOURCE = 'ECB euro foreign exchange reference rates';
  const euro = (usd: Record<string, string>) => ({
    source: SOURCE,
    base: 'EUR',
    rates: Object.fromEntries(Object.entries(usd).map(([day, rate]) => [day, { USD: rate, JPY: '160' }])),
  });
  const on = (day: string, members: object = {}) =>
    row({
      BillingCurrency: 'EUR',
      ChargePeriodStart: `${day}T10:00:00Z`,
      ChargePeriodEnd: `${day}T11:00:00Z`,
      ...members,
    });
  // A Friday and the Monday after.
  const RATES = euro({ '2026-05-01': '1.1', '2026-05-04': '1.2' });

  it.each([
    ['2026-05-01', '1.65', '1.1', '2026-05-01'],
    ['2026-05-03', '1.65', '1.1', '2026-05-01'],
    ['2026-05-04', '1.8', '1.2', '2026-05-04'],
    ['2026-05-11', '1.8', '1.2', '2026-05-04'],
  ])('become USD at the rate of %s, or the newest before', (day, cost, rate, rateDay) => {
    const { lines, rejected } = readRows([on(day)], null, RATES);

    expect(rejected).toEqual([]);
    expect(lines).toMatchObject([
      { cost, exchange: { currency: 'EUR', amount: '1.5', rate, rate_day: rateDay, source: SOURCE } },
    ]);
  });

  it.each([
    ['before the first rate', '2026-04-30', 'EUR'],
    ['more than a week after the last', '2026-05-12', 'EUR'],
    ['without a rate of their currency', '2026-05-01', 'GBP'],
  ])('are rejected %s', (_, day, BillingCurrency) => {
    const { lines, rejected } = readRows([on(day, { BillingCurrency }), row()], null, RATES);

    expect(lines).toEqual([line()]);
    expect(rejected).toEqual([
      {
        index: 0,
        errors: [
          {
            pointer: '/rows/0/BillingCurrency',
            detail: `has no rate of ${BillingCurrency} for ${day}, and the row states none: send it in exchange_rates`,
          },
        ],
      },
    ]);
  });

  it('become USD across the base of the table', () => {
    const { lines } = readRows(
      [on('2026-05-01', { BillingCurrency: 'JPY', BilledCost: '800' })],
      null,
      RATES,
    );

    expect(lines).toMatchObject([{ cost: '5.5', exchange: { currency: 'JPY', rate: '0.006875' } }]);
  });

  const AZURE = { x_BillingExchangeRate: '0.8', x_BillingExchangeRateDate: '2026-05-01' };

  it.each([
    ['x_BillingExchangeRate', { ...AZURE, PricingCurrency: 'USD' }, '2026-05-01'],
    [
      'x_BillingExchangeRate',
      { ...AZURE, x_PricingCurrency: 'usd', x_BillingExchangeRateDate: '' },
      '2026-05-03',
    ],
    ['x_CurrencyConversionRate', { x_CurrencyConversionRate: '0.8' }, '2026-05-03'],
  ])('become USD at the %s that they state', (column, members, rateDay) => {
    const { lines } = readRows([on('2026-05-03', members)], null);

    expect(lines).toMatchObject([
      { cost: '1.875', exchange: { rate: '1.25', rate_day: rateDay, source: `${column} of the bill` } },
    ]);
  });

  it('become the USD again of which the provider made them', () => {
    const digits = (most: number) => fc.integer({ min: 1, max: most }).map((count) => decimal(String(count)));
    fc.assert(
      fc.property(digits(10 ** 12), digits(10 ** 9), (micros, rate) => {
        const usd = micros.div('1000000');
        const units = rate.div('1000000');
        const stated = { x_CurrencyConversionRate: units.toFixed(), BilledCost: usd.times(units).toFixed() };
        const { lines } = readRows([on('2026-05-03', stated)], null);
        expect(lines).toMatchObject([{ cost: usd.toFixed() }]);
      }),
    );
  });

  it.each([
    ['from another currency', { ...AZURE, PricingCurrency: 'EUR' }],
    ['from a currency that they do not name', AZURE],
    ['of zero', { ...AZURE, PricingCurrency: 'USD', x_BillingExchangeRate: '0' }],
  ])('are rejected with a rate %s', (_, members) => {
    expect(readRows([on('2026-05-01', members)], null).rejected).toHaveLength(1);
  });

  it('take the rate of the table before the one that they state', () => {
    const { lines } = readRows([on('2026-05-01', { x_CurrencyConversionRate: '0.8' })], null, RATES);

    expect(lines).toMatchObject([{ cost: '1.65', exchange: { source: SOURCE } }]);
  });

  it('are rejected without a table', () => {
    expect(readRows([on('2026-05-01')], null).rejected).toHaveLength(1);
  });

  it('are exact, and say where they are rounded', () => {
    const [amount, rate] = ['0.0000000001', '1.00000000001'];
    const exact = readRows([on('2026-05-01', { BilledCost: '0.1' })], null, euro({ '2026-05-01': rate }));
    const rounded = readRows([on('2026-05-01', { BilledCost: amount })], null, euro({ '2026-05-01': rate }));

    expect([exact.lines[0]?.cost, exact.rounded]).toEqual(['0.100000000001', 0]);
    expect([rounded.lines[0]?.cost, rounded.rounded]).toEqual(['0.0000000001', 1]);
  });

  it('are shown with their sums, source and rates in each delivery, and are the same purchase as in USD', () => {
    const { lines } = readRows(
      [on('2026-05-01'), on('2026-05-04', { ChargeCategory: 'Tax' }), row()],
      null,
      RATES,
    );

    expect(pageOf(lines, 0)).toMatchObject({
      usage: '3.15',
      other: '1.8',
      exchanged: [
        {
          currency: 'EUR',
          source: SOURCE,
          billed: '3',
          billed_usd: '3.45',
          lowest_rate: '1.1',
          highest_rate: '1.2',
        },
      ],
    });
    expect(pageOf([line()], 0)).not.toHaveProperty('exchanged');
    expect(lines[0] && isSamePurchase(lines[0], line())).toBe(true);
  });
});
