import { expect, it } from 'vitest';
import { billRowsOf } from '../../console/src/pages/reconciliation/billRows.ts';
import { exchangeRatesOf } from '../../console/src/pages/reconciliation/exchangeRates.ts';
import { ExchangeRates } from '../../schemas/chargeback/exchangeRates.ts';

const TERMS = { source: 'ECB', base: 'eur' };
const HEADER = 'BilledCost,BillingCurrency,ChargePeriodStart';
/** As the European Central Bank publishes it: newest day first, and a comma at the end of each line. */
const TABLE = `Date, USD, JPY, GBP, CYP,
2026-11-24,1.0533,161.10,0.8402,N/A,
2026-11-23,1.0511,160.92,0.8399,N/A,
2026-11-20,1.0498,160.55,0.8391,N/A,
2026-11-13,1.0601,161.77,0.8344,N/A,
2026-11-12,1.0622,161.90,0.8349,N/A,
1999-01-04,1.1789,133.73,0.7111,0.58231,
`;

const ratesFor = (...rows: string[]) => {
  const { rates, ...rest } = exchangeRatesOf(TABLE, TERMS, billRowsOf([HEADER, ...rows].join('\n')));
  return { ...rest, rates: ExchangeRates.shape.rates.parse(rates) };
};

it('keeps the days and currencies that the rows need, in the form of the API', () => {
  expect(ratesFor('4,gbp,2026-11-20T00:00:00Z', '2,EUR,2026-11-23 00:00:00')).toEqual({
    source: 'ECB',
    base: 'EUR',
    rates: {
      '2026-11-23': { USD: '1.0511', GBP: '0.8399' },
      '2026-11-20': { USD: '1.0498', GBP: '0.8391' },
      '2026-11-13': { USD: '1.0601', GBP: '0.8344' },
    },
  });
});

it('leaves out cells without a rate', () => {
  expect(ratesFor('4,CYP,2026-11-12T00:00:00Z').rates).toEqual({ '2026-11-12': { USD: '1.0622' } });
});

it('sends the newest days for rows whose columns it does not know, and for a source, which has none yet', () => {
  expect(Object.keys(exchangeRatesOf(TABLE, TERMS, billRowsOf('BilledCost\n4')).rates)).toHaveLength(6);
});
