import { useState } from 'react';
import { postBills } from '../../../../sdk/typescript/src/operations.ts';
import type { Bills } from '../../../../sdk/typescript/src/types.ts';
import { formatCount, formatUsd } from '../../format/amount.ts';
import type { Entries } from '../../forms/entries.ts';
import { TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { billRowsOf, textOf } from './billRows.ts';
import { exchangeRatesOf } from './exchangeRates.ts';

const billsOf = (entries: Entries): Bills => {
  const rows = billRowsOf(entries.text('rows'));
  const table = entries.text('rates');
  if (table === '') return { rows };
  const terms = { source: entries.text('rates_source'), base: entries.text('rates_base') };
  return { rows, exchange_rates: exchangeRatesOf(table, terms, rows) };
};

export const ImportDialog = ({ of }: { of: DialogState }) => {
  const [file, setFile] = useState('');
  return (
    <FormDialog
      of={of}
      title="Import bills"
      submit="Import"
      isWide
      send={(client, entries, options) => postBills(client, billsOf(entries), options)}
      result={({ rows, rejected, rejected_rows: unread, billed_usd: billed, from, to }) => (
        <>
          <p>
            {formatCount(rows)} rows imported, {formatUsd(billed)} from {from.slice(0, 10)} to{' '}
            {to.slice(0, 10)} (UTC, end excluded). Rows that were imported before count once.
          </p>
          {unread > 0 && (
            <p>
              {formatCount(unread)} rows could not be read, the first of them row{' '}
              {(rejected[0]?.index ?? 0) + 1}: {rejected[0]?.errors[0]?.detail}
            </p>
          )}
        </>
      )}
    >
      <p className="quiet small">
        Rows of a FOCUS file in CSV, with its header: UTF-8 or UTF-16, with commas, semicolons or tabs. Only
        the columns that the comparison uses are sent.
      </p>
      <TextField
        name="file"
        label="File"
        type="file"
        accept=".csv,text/csv"
        onChange={async ({ target }) => {
          const chosen = target.files?.[0];
          setFile(chosen === undefined ? '' : await textOf(chosen));
        }}
      />
      <TextArea key={file} name="rows" label="Rows" required defaultValue={file} />
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
    </FormDialog>
  );
};
