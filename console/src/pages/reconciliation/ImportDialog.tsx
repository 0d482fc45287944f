import { useState } from 'react';
import type { Bills } from '../../../../sdk/typescript/src/types.ts';
import { formatCount, formatUsd } from '../../format/amount.ts';
import type { Entries } from '../../forms/entries.ts';
import { TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { billRowsOf, textOf } from './billRows.ts';
import { enteredRates, RateFields } from './RateFields.tsx';
import { type ImportedBill, sendBills } from './sendBills.ts';

const billsOf = (entries: Entries): Bills => {
  const rows = billRowsOf(entries.text('rows'));
  return { rows, ...enteredRates(entries, rows) };
};

const Imported = ({ of }: { readonly of: ImportedBill }) => (
  <>
    <p>
      {formatCount(of.rows)} rows imported, {formatUsd(of.billed_usd)} from {of.from.slice(0, 10)} to{' '}
      {of.to.slice(0, 10)} (UTC, end excluded). Rows that were imported before count once.
    </p>
    {of.rejected_rows > 0 && (
      <p>
        {formatCount(of.rejected_rows)} rows could not be read, the first of them row{' '}
        {(of.rejected[0]?.index ?? 0) + 1}: {of.rejected[0]?.errors[0]?.detail}
      </p>
    )}
  </>
);

export const ImportDialog = ({ of }: { of: DialogState }) => {
  const [file, setFile] = useState('');
  return (
    <FormDialog
      of={of}
      title="Import bills"
      submit="Import"
      isWide
      send={(client, entries, options) => sendBills(client, billsOf(entries), options)}
      result={(bills) => bills.map((bill) => <Imported key={bill.billed_usd + bill.from} of={bill} />)}
    >
      <p className="quiet small">
        Rows of a FOCUS file, or of an export of a provider, in CSV with its header: UTF-8 or UTF-16, with
        commas, semicolons or tabs. Only what the comparison uses is stored. A file that needs several
        requests replaces the bill of its provider, accounts and days.
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
      <RateFields />
    </FormDialog>
  );
};
