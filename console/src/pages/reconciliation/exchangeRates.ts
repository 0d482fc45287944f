import type { BillRow, ExchangeRates } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS } from '../../format/time.ts';
import { parseCsv } from './billRows.ts';

/** Days after its own on which the service takes a rate. */
const RATE_DAYS = 7;
const AMOUNT = /^\d+(?:\.\d+)?$/;

/**
 * The table of a central bank in CSV: a column `Date`, and one for each currency. Only the days and currencies of the rows are
 * kept, because a file can have decades. A cell without a rate, such as `N/A`, is left out.
 */
export const exchangeRatesOf = (
  table: string,
  { source, base }: Pick<ExchangeRates, 'source' | 'base'>,
  rows: readonly BillRow[],
): ExchangeRates => {
  const [header = [], ...days] = parseCsv(table).map((cells) => cells.map((cell) => cell.trim()));
  // A file can lack a column, which the service reports.
  const starts = rows.map(({ ChargePeriodStart: start }) => String(start).slice(0, 10)).sort();
  const [first = '', last = ''] = [starts[0], starts.at(-1)];
  const currencies = new Set(['USD', ...rows.map(({ BillingCurrency: code }) => String(code).toUpperCase())]);
  const isNeeded = (day: string): boolean =>
    day <= last && Date.parse(day) >= Date.parse(first) - RATE_DAYS * DAY_MS;
  return {
    source,
    base: base.toUpperCase(),
    rates: Object.fromEntries(
      days
        .map((cells) => [cells[header.indexOf('Date')] ?? '', cells] as const)
        .filter(([day]) => isNeeded(day))
        .map(([day, cells]) => [
          day,
          Object.fromEntries(
            header.flatMap((name, index): [string, string][] => {
              const rate = cells[index] ?? '';
              return currencies.has(name) && AMOUNT.test(rate) ? [[name, rate]] : [];
            }),
          ),
        ]),
    ),
  };
};
