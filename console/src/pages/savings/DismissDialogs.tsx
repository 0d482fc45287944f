import { dismissalRequestOf } from '../../../../sdk/shared/dismissalRequest.ts';
import { dismissSaving, restoreSaving } from '../../../../sdk/typescript/src/operations.ts';
import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { titleOf } from './savingText.ts';

interface SavingDialogProps {
  readonly of: DialogState;
  readonly row: Saving | undefined;
}

export const DismissDialog = ({ of, row }: SavingDialogProps) =>
  row !== undefined && (
    <FormDialog
      of={of}
      title="Dismiss the suggestion"
      submit="Dismiss"
      send={(client, entries, options) =>
        dismissSaving(client, dismissalRequestOf(row, entries.text('reason')), options)
      }
    >
      <p>
        “{titleOf(row)}” is left out here and in what is sent to people. It comes back when it saves half as
        much again as {formatUsd(row.high_usd)}, and a dollar more.
      </p>
      <TextField name="reason" label="Reason" required maxLength={512} />
    </FormDialog>
  );

export const RestoreDialog = ({ of, row }: SavingDialogProps) => (
  <FormDialog
    of={of}
    title="Restore the suggestion?"
    submit="Restore"
    send={(client, _, options) => restoreSaving(client, of.subject, options)}
  >
    <p>“{row === undefined ? 'It' : titleOf(row)}” is suggested again.</p>
  </FormDialog>
);
