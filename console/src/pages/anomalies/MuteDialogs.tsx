import { muteAnomaly, unmuteAnomaly } from '../../../../sdk/typescript/src/operations.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

export const MuteDialog = ({ of, name }: { of: DialogState; name: string }) => (
  <FormDialog
    of={of}
    title={`Mute ${name}`}
    submit="Mute"
    send={(client, entries, options) =>
      muteAnomaly(
        client,
        of.subject,
        { days: Number(entries.text('days')), ...entries.optional('reason') },
        options,
      )
    }
  >
    <p>No notification and no webhook event until then. Its anomalies still appear here.</p>
    <SelectField
      name="days"
      label="For"
      defaultValue="7"
      options={[
        { value: '1', label: 'One day' },
        { value: '7', label: 'One week' },
        { value: '30', label: '30 days' },
        { value: '90', label: '90 days' },
      ]}
    />
    <TextField name="reason" label="Reason" hint="Optional" maxLength={512} />
  </FormDialog>
);

export const UnmuteDialog = ({ of, name }: { of: DialogState; name: string }) => (
  <FormDialog
    of={of}
    title={`Unmute ${name}?`}
    submit="Unmute"
    send={(client, _, options) => unmuteAnomaly(client, of.subject, options)}
  >
    <p>Its next anomaly is notified again.</p>
  </FormDialog>
);
