import { listUsers, removeUser } from '../../../../sdk/typescript/src/operations.ts';
import type { User } from '../../../../sdk/typescript/src/types.ts';
import { useList } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { ListTable } from '../../components/tables/ListTable.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import type { Column } from '../../components/tables/Table.tsx';
import { wordFor } from '../../format/words.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { useSession } from '../../session/session.ts';
import { AddUserDialog, ChangeRoleDialog } from './UserDialogs.tsx';

/** Who may sign in to the tenant, and as what. */
export const Users = () => {
  const { userId } = useSession();
  const users = useList(['users'], (client, cursor, options) => listUsers(client, cursor, options));
  const add = useDialog('add-user');
  const change = useDialog('change-role');
  const remove = useDialog('remove-user');
  const userOf = (id: string): User | undefined => users.data?.find((user) => user.id === id);
  const columns: readonly Column<User>[] = [
    {
      title: 'Person',
      cell: ({ email, id }) => (
        <>
          {email}
          <span className="sub mono">{id === userId ? `${id} · you` : id}</span>
        </>
      ),
      order: ({ email }) => email,
    },
    { title: 'Role', cell: ({ role }) => wordFor(role), order: ({ role }) => wordFor(role) },
    {
      title: 'State',
      cell: ({ state }) => <Pill tone={state === 'active' ? 'good' : 'plain'}>{state}</Pill>,
    },
    {
      title: 'Added',
      cell: ({ created_at: at }) => <Moment at={at} ago />,
      order: ({ created_at: at }) => at,
    },
  ];
  const actionsOf = ({ id, email, state }: User): readonly RowAction[] =>
    state === 'active'
      ? [
          { label: 'Change role', subject: `of ${email}`, run: () => change.open(id) },
          { label: 'Remove', subject: email, isDanger: true, run: () => remove.open(id) },
        ]
      : [];
  return (
    <Page
      title="Users and roles"
      lead="Who may sign in. A change takes effect with the next request of the person. One administrator always stays."
      actions={
        <button type="button" className="button primary" onClick={() => add.open()}>
          Add a user
        </button>
      }
    >
      <Card title="Users">
        <ListTable
          of={users}
          height={280}
          label="Users"
          columns={columns}
          keyOf={({ id }) => id}
          actions={actionsOf}
          empty={
            <Empty title="No user yet">Add the people who read reports or answer for their calls.</Empty>
          }
        />
      </Card>
      <AddUserDialog of={add} />
      <ChangeRoleDialog of={change} user={userOf(change.subject)} />
      <FormDialog
        of={remove}
        title={`Remove ${userOf(remove.subject)?.email ?? 'the user'}?`}
        submit="Remove"
        isDanger
        send={(client, _, options) => removeUser(client, remove.subject, options)}
      >
        <p>All sessions of the person end at once. The audit log keeps what the person changed.</p>
      </FormDialog>
    </Page>
  );
};
