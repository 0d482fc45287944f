import { createApiKey, createOAuthClient } from '../../../../sdk/typescript/src/operations.ts';
import { Copyable } from '../../components/Copyable.tsx';
import { ChoicesField, SelectField, TextArea, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import { useSession } from '../../session/session.ts';
import { LaneField, laneOf } from './LaneField.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import { scopeOptions, scopesOf } from './scopes.ts';

interface CreateKeyDialogProps {
  readonly of: DialogState;
  /** A command that uses the new key. With it, the key is for sending events unless the person chooses otherwise. */
  readonly exampleOf?: (key: string) => string;
}

export const CreateKeyDialog = ({ of, exampleOf }: CreateKeyDialogProps) => {
  const { scopes } = useSession();
  return (
    <FormDialog
      of={of}
      title="Create an API key"
      submit="Create the key"
      send={(client, entries, options) =>
        createApiKey(
          client,
          {
            name: entries.text('name'),
            scopes: scopesOf(entries.all('scopes')),
            ...(entries.text('expires_at') !== '' && {
              expires_at: `${entries.text('expires_at')}T00:00:00Z`,
            }),
            ...laneOf(entries),
          },
          options,
        )
      }
      result={({ secret, withheld }) => (
        <>
          <SecretOnce secret={secret} withheld={withheld} name="the API key" />
          {secret !== null && exampleOf !== undefined && (
            <>
              <p>This command sends one event with it.</p>
              <Copyable text={exampleOf(secret)} label="the command" />
            </>
          )}
        </>
      )}
    >
      <TextField
        name="name"
        label="Name"
        required
        maxLength={120}
        hint="What uses it, such as nightly report"
      />
      <ChoicesField
        name="scopes"
        label="It may"
        options={scopeOptions(scopes)}
        defaultValues={exampleOf === undefined ? [] : ['ingest:write']}
        hint="No more than it needs"
      />
      <LaneField />
      <TextField
        name="expires_at"
        label="Expires on (UTC)"
        type="date"
        hint="Empty: after the longest time that the settings allow"
      />
    </FormDialog>
  );
};

export const CreateClientDialog = ({ of }: { of: DialogState }) => {
  const { scopes } = useSession();
  return (
    <FormDialog
      of={of}
      title="Register an OAuth client"
      submit="Register"
      send={(client, entries, options) => {
        const redirects = entries
          .text('redirect_uris')
          .split(/\s+/)
          .filter((uri) => uri !== '');
        const isPublic = entries.text('kind') === 'public';
        return createOAuthClient(
          client,
          {
            name: entries.text('name'),
            scopes: scopesOf(entries.all('scopes')),
            ...(redirects.length > 0 && { redirect_uris: redirects }),
            ...(isPublic && { token_endpoint_auth_method: 'none' as const }),
            ...laneOf(entries),
          },
          options,
        );
      }}
      result={({ client_secret: secret, client_id: id, withheld }) => (
        <>
          <p>
            Client id: <code>{id}</code>
          </p>
          <SecretOnce secret={secret} withheld={withheld} name="the client secret" />
        </>
      )}
    >
      <TextField name="name" label="Name" required maxLength={120} />
      <SelectField
        name="kind"
        label="Kind"
        options={[
          { value: 'confidential', label: 'With a secret: a service' },
          { value: 'public', label: 'Without a secret: a browser or desktop application' },
        ]}
      />
      <ChoicesField name="scopes" label="It may" options={scopeOptions(scopes)} />
      <LaneField />
      <TextArea
        name="redirect_uris"
        label="Redirect addresses"
        hint="One a line. Only for applications that sign people in"
      />
    </FormDialog>
  );
};
