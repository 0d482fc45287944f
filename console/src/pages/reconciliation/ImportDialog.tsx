import { useState } from 'react';
import { postBills } from '../../../../sdk/typescript/src/operations.ts';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { billRowsOf } from './billRows.ts';

export const ImportDialog = ({ of }: { of: DialogState }) => {
  const [file, setFile] = useState('');
  return (
    <FormDialog
      of={of}
      title="Import bills"
      submit="Import"
      isWide
      send={(client, entries, options) =>
        postBills(client, { rows: billRowsOf(entries.text('rows')) }, options)
      }
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
        Rows of a FOCUS file in CSV, with its header. Only the columns that the comparison uses are sent.
        Amounts are in USD. Send other currencies over the API, with their rates.
      </p>
      <TextField
        name="file"
        label="File"
        type="file"
        accept=".csv,text/csv"
        onChange={async ({ target }) => setFile((await target.files?.[0]?.text()) ?? '')}
      />
      <TextArea key={file} name="rows" label="Rows" required defaultValue={file} />
    </FormDialog>
  );
};
