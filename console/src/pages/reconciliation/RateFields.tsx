import type { BillRow, ExchangeRates } from '../../../../sdk/typescript/src/types.ts';
import type { Entries } from '../../forms/entries.ts';
import { TextArea, TextField } from '../../forms/Field.tsx';
import { exchangeRatesOf } from './exchangeRates.ts';

/** The table that a person entered, for these rows or for all. Empty without one. */
export const enteredRates = (
  entries: Entries,
  rows: readonly BillRow[] = [],
): { readonly exchange_rates?: ExchangeRates } => {
  const table = entries.text('rates');
  const terms = { source: entries.text('rates_source'), base: entries.text('rates_base') };
  return table === '' ? {} : { exchange_rates: exchangeRatesOf(table, terms, rows) };
};

export const RateFields = () => (
  <>
    <TextArea
      name="rates"
      label="Exchange rates"
      hint="Only for other currencies than USD: CSV with a column Date and one for each currency, as central banks publish it"
    />
    <div className="pair">
      <TextField name="rates_base" label="One unit of" defaultValue="EUR" />
      <TextField
        name="rates_source"
        label="Source of the rates"
        defaultValue="ECB euro foreign exchange reference rates"
      />
    </div>
  </>
);
