import { Brand } from '../shell/Brand.tsx';

interface TenantChooserProps {
  readonly email: string;
  readonly tenants: readonly { readonly id: string; readonly name: string }[];
  readonly choose: (tenantId: string) => void;
  readonly signOut: () => void;
}

/** What a person sees who is signed in, but not in a tenant: before the first choice, or after an administrator removed them. */
export const TenantChooser = ({ email, tenants, choose, signOut }: TenantChooserProps) => (
  <main className="gate">
    <Brand />
    <h1>{tenants.length === 0 ? 'No tenant' : 'Choose a tenant'}</h1>
    <p className="quiet">
      {tenants.length === 0
        ? `${email} is not a user of any tenant. An administrator of your tenant can add you.`
        : 'You can change it later, beside your name.'}
    </p>
    {tenants.length > 0 && (
      <ul className="stack">
        {tenants.map(({ id, name }) => (
          <li key={id}>
            <button type="button" className="button" onClick={() => choose(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    )}
    <button type="button" className="button" onClick={signOut}>
      Sign out
    </button>
  </main>
);
