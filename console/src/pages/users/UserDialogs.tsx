import { createUser, updateUser } from '../../../../sdk/typescript/src/operations.ts';
import type { User } from '../../../../sdk/typescript/src/types.ts';
import { wordFor } from '../../format/words.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

type Role = User['role'];

/** What a role is for. The reference of the API lists its scopes. */
const PURPOSES: Readonly<Record<Role, string>> = {
  viewer: 'reads sums, and no single call',
  finops: 'reads records, creates exports, sets budgets, prices, bills and mappings',
  engineer: 'reads records, sends events and manages webhooks',
  admin: 'may do everything',
};
const ROLES = Object.keys(PURPOSES) as Role[];
const options = ROLES.map((value) => ({ value, label: `${wordFor(value)}: ${PURPOSES[value]}` }));

const roleOf = (name: string): Role => ROLES.find((role) => role === name) ?? 'viewer';

export const AddUserDialog = ({ of }: { of: DialogState }) => (
  <FormDialog
    of={of}
    title="Add a user"
    submit="Add"
    send={(client, entries, callOptions) =>
      createUser(client, { email: entries.text('email'), role: roleOf(entries.text('role')) }, callOptions)
    }
  >
    <TextField
      name="email"
      label="E-mail address"
      type="email"
      required
      maxLength={254}
      hint="A new person gets an invitation by e-mail, unless your company has its own sign-in"
    />
    <SelectField name="role" label="Role" options={options} defaultValue="viewer" />
  </FormDialog>
);

export const ChangeRoleDialog = ({ of, user }: { of: DialogState; user: User | undefined }) => (
  <FormDialog
    of={of}
    title={`Change the role of ${user?.email ?? 'the user'}`}
    submit="Change"
    send={(client, entries, callOptions) =>
      updateUser(client, of.subject, { role: roleOf(entries.text('role')) }, callOptions)
    }
  >
    <SelectField name="role" label="Role" options={options} defaultValue={user?.role ?? 'viewer'} />
  </FormDialog>
);
