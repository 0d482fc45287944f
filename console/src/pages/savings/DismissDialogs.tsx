import { dismissSaving, restoreSaving } from '../../../../sdk/typescript/src/operations.ts';
import type { Saving, SavingDismissalRequest } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { titleOf } from './savingText.ts';

/** A suggestion in the words of its dismissal. Members that it does not have stay absent: they are hidden. */
const requestOf = (row: Saving, reason: string): SavingDismissalRequest => ({
  saving: row.saving,
  kind: row.kind === 'group' ? 'group' : 'folded',
  ...(row.owner !== undefined && { owner: row.owner }),
  ...(row.service !== undefined && { service: row.service }),
  ...(row.provider !== undefined && { provider: row.provider }),
  ...(row.served_model !== undefined && { served_model: row.served_model }),
  ...(row.replacement !== undefined && { replacement_model: row.replacement.model }),
  ...(row.pool !== undefined && { pool: row.pool }),
  high_usd: row.high_usd,
  reason,
});

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
        dismissSaving(client, requestOf(row, entries.text('reason')), options)
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
