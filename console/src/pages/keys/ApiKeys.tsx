import { listApiKeys, revokeApiKey, rotateApiKey } from '../../../../sdk/typescript/src/operations.ts';
import type { ApiKey } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import type { Tone } from '../../components/tone.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { lastUsedColumn, nameColumn, scopesColumn } from './credentialColumns.tsx';
import { OverlapField, SecretOnce } from './SecretOnce.tsx';

const tones: Readonly<Record<ApiKey['state'], Tone>> = {
  active: 'good',
  rotating: 'accent',
  revoked: 'plain',
  expired: 'warn',
};

export const ApiKeys = () => {
  const keys = useList(['api-keys'], (client, cursor, options) => listApiKeys(client, cursor, options));
  const rotate = useDialog('rotate-key');
  const revoke = useDialog('revoke-key');
  const nameOf = (id: string): string => keys.data?.find((key) => key.id === id)?.name ?? 'the key';
  const columns: readonly Column<ApiKey>[] = [
    nameColumn(({ id }) => id),
    {
      title: 'State',
      cell: ({ state }) => <Pill tone={tones[state]}>{state}</Pill>,
      order: ({ state }) => state,
    },
    scopesColumn,
    lastUsedColumn,
    {
      title: 'Expires',
      cell: ({ expires_at: at }) => <Moment at={at} ago />,
      order: ({ expires_at: at }) => at,
    },
  ];
  const actionsOf = ({ id, name, state }: ApiKey): readonly RowAction[] =>
    state === 'active' || state === 'rotating'
      ? [
          { label: 'Rotate', subject: name, run: () => rotate.open(id) },
          { label: 'Revoke', subject: name, isDanger: true, run: () => revoke.open(id) },
        ]
      : [];
  return (
    <Card title="API keys">
      <ListTable
        of={keys}
        height={280}
        label="API keys"
        columns={columns}
        keyOf={({ id }) => id}
        actions={actionsOf}
        empty={
          <Empty title="No key yet">
            Create a key with the scope to send events, and give it to your application.
          </Empty>
        }
      />
      <FormDialog
        of={rotate}
        title={`Rotate ${nameOf(rotate.subject)}?`}
        submit="Rotate"
        send={(client, entries, options) =>
          rotateApiKey(client, rotate.subject, { overlap_seconds: Number(entries.text('overlap')) }, options)
        }
        result={({ secret, withheld }) => (
          <SecretOnce secret={secret} withheld={withheld} name="the API key" />
        )}
      >
        <OverlapField />
      </FormDialog>
      <FormDialog
        of={revoke}
        title={`Revoke ${nameOf(revoke.subject)}?`}
        submit="Revoke"
        isDanger
        send={(client, _, options) => revokeApiKey(client, revoke.subject, options)}
      >
        <p>Programs that use it are refused at once. This cannot be undone.</p>
      </FormDialog>
    </Card>
  );
};
