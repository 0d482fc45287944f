import {
  createBillSource,
  deleteBillSource,
  updateBillSource,
} from '../../../../sdk/typescript/src/operations.ts';
import type { BillSource } from '../../../../sdk/typescript/src/types.ts';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

const PROVIDERS = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
] as const;

const CredentialField = () => (
  <TextField
    name="credential"
    label="Admin key of the provider"
    type="password"
    required
    autoComplete="off"
    hint="It may read costs. It is stored encrypted and cannot be read again"
  />
);

export const AddBillSourceDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Import bills every hour"
    submit="Add"
    secretField="credential"
    send={(client, entries, options) =>
      createBillSource(
        client,
        {
          provider: PROVIDERS.find(({ value }) => value === entries.text('provider'))?.value ?? 'openai',
          name: entries.text('name'),
          credential: entries.text('credential'),
          ...entries.optional('account'),
        },
        options,
      )
    }
  >
    <SelectField name="provider" label="Provider" options={PROVIDERS} />
    <TextField name="name" label="Name" required maxLength={128} />
    <TextField
      name="account"
      label="Account"
      maxLength={128}
      hint="Only for several accounts of one provider"
    />
    <CredentialField />
  </FormDialog>
);

interface SourceDialogProps {
  readonly of: DialogState;
  readonly source: BillSource | undefined;
}

export const ReplaceKeyDialog = ({ of, source }: SourceDialogProps) => (
  <FormDialog
    of={of}
    title={`Replace the key of ${source?.name ?? 'the source'}`}
    submit="Replace"
    secretField="credential"
    send={(client, entries, options) =>
      updateBillSource(client, of.subject, { credential: entries.text('credential') }, options)
    }
  >
    <CredentialField />
  </FormDialog>
);

export const PauseDialog = ({ of, source }: { of: DialogState; source: BillSource }) => {
  const isPaused = source.status === 'paused';
  return (
    <FormDialog
      of={of}
      title={`${isPaused ? 'Resume' : 'Pause'} ${source.name}?`}
      submit={isPaused ? 'Resume' : 'Pause'}
      send={(client, _, options) => updateBillSource(client, of.subject, { paused: !isPaused }, options)}
    >
      <p>{isPaused ? 'The next import starts within minutes.' : 'Imported bills stay as they are.'}</p>
    </FormDialog>
  );
};

export const DeleteBillSourceDialog = ({ of, source }: SourceDialogProps) => (
  <DeleteDialog of={of} name={source?.name ?? 'the source'} send={deleteBillSource}>
    The key is deleted. Imported bills stay as they are.
  </DeleteDialog>
);
