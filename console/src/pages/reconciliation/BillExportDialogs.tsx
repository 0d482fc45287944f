import { createBillSource, updateBillSource } from '../../../../sdk/typescript/src/operations.ts';
import type { BillSource } from '../../../../sdk/typescript/src/types.ts';
import { TrustPolicy } from '../../components/TrustPolicy.tsx';
import type { Entries } from '../../forms/entries.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { enteredRates, RateFields } from './RateFields.tsx';

const SourceTrust = ({ of: { data_export: trusted } }: { readonly of: BillSource }) =>
  trusted && <TrustPolicy of={trusted} then="The imports begin once it exists." />;

const exportOf = (entries: Entries) => ({
  location: entries.text('location'),
  region: entries.text('region'),
  role_arn: entries.text('role_arn'),
});

const ExportFields = ({ present }: { readonly present?: BillSource['data_export'] }) => (
  <>
    <TextField
      name="location"
      label="Location of the export"
      required
      placeholder="s3://bucket/prefix/name"
      defaultValue={present?.location}
      hint="An export of CUR 2.0 by AWS Data Exports"
    />
    <TextField
      name="region"
      label="Region of the bucket"
      required
      placeholder="us-east-1"
      defaultValue={present?.region}
    />
    <TextField
      name="role_arn"
      label="ARN of the role"
      required
      placeholder="arn:aws:iam::111122223333:role/attribution-bills-reader"
      defaultValue={present?.role_arn}
      hint="A role of your account that may read the export. Its name begins with attribution-bills-"
    />
  </>
);

export const AddBillExportDialog = ({ of }: { readonly of: DialogState }) => (
  <FormDialog
    of={of}
    title="Import charges of Amazon Bedrock"
    submit="Add"
    isWide
    send={(client, entries, options) =>
      createBillSource(
        client,
        {
          provider: 'aws',
          name: entries.text('name'),
          data_export: exportOf(entries),
          ...entries.optional('account'),
          ...enteredRates(entries),
        },
        options,
      )
    }
    result={(source) => <SourceTrust of={source} />}
  >
    <TextField name="name" label="Name" required maxLength={128} />
    <TextField name="account" label="Account" maxLength={128} hint="Only for several exports" />
    <ExportFields />
    <RateFields />
  </FormDialog>
);

interface ReplaceProps {
  readonly of: DialogState;
  readonly source: BillSource;
}

/** Sends the export again, which also starts an import at once. */
export const ReplaceExportDialog = ({ of, source }: ReplaceProps) => (
  <FormDialog
    of={of}
    title={`The export of ${source.name}`}
    submit="Save and import"
    isWide
    send={(client, entries, options) =>
      updateBillSource(
        client,
        of.subject,
        { data_export: exportOf(entries), ...enteredRates(entries) },
        options,
      )
    }
    result={(changed) => <SourceTrust of={changed} />}
  >
    <SourceTrust of={source} />
    <ExportFields present={source.data_export} />
    <RateFields />
  </FormDialog>
);
