import {
  deleteOAuthClient,
  listOAuthClients,
  rotateOAuthClient,
} from '../../../../sdk/typescript/src/operations.ts';
import type { OAuthClient } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { wordFor } from '../../format/words.ts';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { lastUsedColumn, nameColumn, scopesColumn } from './credentialColumns.tsx';
import { OverlapField, SecretOnce } from './SecretOnce.tsx';

export const OAuthClients = () => {
  const clients = useList(['oauth-clients'], (client, cursor, options) =>
    listOAuthClients(client, cursor, options),
  );
  const rotate = useDialog('rotate-client');
  const remove = useDialog('delete-client');
  const nameOf = (id: string): string =>
    clients.data?.find(({ client_id: own }) => own === id)?.name ?? 'the client';
  const columns: readonly Column<OAuthClient>[] = [
    nameColumn(({ client_id: id }) => id),
    { title: 'Grants', cell: ({ grant_types: grants }) => grants.map(wordFor).join(', ') },
    scopesColumn,
    lastUsedColumn,
  ];
  const actionsOf = (client: OAuthClient): readonly RowAction[] => {
    const { client_id: id, name: subject, token_endpoint_auth_method: method } = client;
    const hasSecret = method !== 'none';
    return [
      ...(hasSecret ? [{ label: 'Rotate', subject, run: () => rotate.open(id) }] : []),
      { label: 'Delete', subject, isDanger: true, run: () => remove.open(id) },
    ];
  };
  return (
    <Card title="OAuth clients">
      <ListTable
        of={clients}
        height={180}
        label="OAuth clients"
        columns={columns}
        keyOf={({ client_id: id }) => id}
        actions={actionsOf}
        empty={
          <p className="quiet small">
            No client. Services exchange its secret for tokens; applications sign people in.
          </p>
        }
      />
      <FormDialog
        of={rotate}
        title={`Replace the secret of ${nameOf(rotate.subject)}?`}
        submit="Replace"
        send={(client, entries, options) =>
          rotateOAuthClient(
            client,
            rotate.subject,
            { overlap_seconds: Number(entries.text('overlap')) },
            options,
          )
        }
        result={({ client_secret: secret, withheld }) => (
          <SecretOnce secret={secret} withheld={withheld} name="the client secret" />
        )}
      >
        <OverlapField />
      </FormDialog>
      <DeleteDialog of={remove} name={nameOf(remove.subject)} send={deleteOAuthClient}>
        Its tokens end at once. This cannot be undone.
      </DeleteDialog>
    </Card>
  );
};
