import type { BillRow, ExchangeRates } from '../../../../sdk/typescript/src/types.ts';
import { DAY_MS } from '../../format/time.ts';
import { cellOf, parseCsv } from './billRows.ts';

/** Days after its own on which the service takes a rate. */
const RATE_DAYS = 7;
/** Days of one table that the service takes. */
const TABLE_DAYS = 400;
const AMOUNT = /^\d+(?:\.\d+)?$/;

/** The days and currencies of rows. A column that they lack is no limit: an export can have another name for it. */
const neededBy = (rows: readonly BillRow[]) => {
  const starts = rows.map((row) => cellOf(row, 'ChargePeriodStart').slice(0, 10)).filter((day) => day !== '');
  const codes = rows.map((row) => cellOf(row, 'BillingCurrency').toUpperCase()).filter((code) => code !== '');
  const [first = '', last = ''] = [starts.toSorted()[0], starts.toSorted().at(-1)];
  return {
    isDay: (day: string): boolean =>
      starts.length === 0 || (day <= last && Date.parse(day) >= Date.parse(first) - RATE_DAYS * DAY_MS),
    isCurrency: (name: string): boolean => codes.length === 0 || name === 'USD' || codes.includes(name),
  };
};

/**
 * The table of a central bank in CSV: a column `Date`, and one for each currency. Only the days and currencies of the rows are
 * kept, because a file can have decades; without rows, the newest days. A cell without a rate, such as `N/A`, is left out.
 */
export const exchangeRatesOf = (
  table: string,
  { source, base }: Pick<ExchangeRates, 'source' | 'base'>,
  rows: readonly BillRow[],
): ExchangeRates => {
  const [header = [], ...days] = parseCsv(table).map((cells) => cells.map((cell) => cell.trim()));
  const { isDay, isCurrency } = neededBy(rows);
  const dated = days.map((cells) => [cells[header.indexOf('Date')] ?? '', cells] as const);
  return {
    source,
    base: base.toUpperCase(),
    rates: Object.fromEntries(
      dated
        .filter(([day]) => day !== '' && isDay(day))
        .toSorted(([one], [other]) => (one > other ? -1 : 1))
        .slice(0, TABLE_DAYS)
        .map(([day, cells]) => [
          day,
          Object.fromEntries(
            header.flatMap((name, index): [string, string][] => {
              const rate = cells[index] ?? '';
              return isCurrency(name) && AMOUNT.test(rate) ? [[name, rate]] : [];
            }),
          ),
        ]),
    ),
  };
};
