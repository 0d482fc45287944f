import {
  checkExportDestination,
  createExportDestination,
  deleteExportDestination,
} from '../../../../sdk/typescript/src/operations.ts';
import type { ExportDestination } from '../../../../sdk/typescript/src/types.ts';
import { TrustPolicy } from '../../components/TrustPolicy.tsx';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

const THEN = 'Then check the destination.';

export const AddDestinationDialog = ({ of }: { readonly of: DialogState }) => (
  <FormDialog
    of={of}
    title="Add a destination"
    submit="Add"
    isWide
    send={(client, entries, options) =>
      createExportDestination(
        client,
        {
          name: entries.text('name'),
          location: entries.text('location'),
          region: entries.text('region'),
          role_arn: entries.text('role_arn'),
        },
        options,
      )
    }
    result={(destination) => <TrustPolicy of={destination} then={THEN} />}
  >
    <TextField name="name" label="Name" required maxLength={128} />
    <TextField
      name="location"
      label="Location"
      required
      placeholder="s3://bucket/prefix"
      hint="A bucket of your account, and the prefix of all files. It cannot be changed later"
    />
    <TextField name="region" label="Region of the bucket" required placeholder="us-east-1" />
    <TextField
      name="role_arn"
      label="ARN of the role"
      required
      placeholder="arn:aws:iam::111122223333:role/attribution-exports-finance"
      hint="A role of your account that may put objects there. Its name begins with attribution-exports-"
    />
  </FormDialog>
);

interface DestinationProps {
  readonly of: DialogState;
  readonly destination: ExportDestination;
}

export const CheckDestinationDialog = ({ of, destination }: DestinationProps) => (
  <FormDialog
    of={of}
    title={`Check ${destination.name}?`}
    submit="Check"
    isWide
    send={(client, _, options) => checkExportDestination(client, of.subject, options)}
  >
    <p>The file attribution-check.json is put into the bucket within a minute.</p>
    <TrustPolicy of={destination} then="" />
  </FormDialog>
);

export const DeleteDestinationDialog = ({ of, destination }: DestinationProps) => (
  <DeleteDialog of={of} name={destination.name} send={deleteExportDestination}>
    Deliveries to it fail, also those of schedules that name it. Files in the bucket stay.
  </DeleteDialog>
);
