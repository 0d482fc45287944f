import { Brand } from '../shell/Brand.tsx';

interface TenantChooserProps {
  readonly tenants: readonly { readonly id: string; readonly name: string }[];
  readonly choose: (tenantId: string) => void;
}

export const TenantChooser = ({ tenants, choose }: TenantChooserProps) => (
  <main className="gate">
    <Brand />
    <h1>Choose a tenant</h1>
    <p className="quiet">You can change it later, beside your name.</p>
    <ul className="stack">
      {tenants.map(({ id, name }) => (
        <li key={id}>
          <button type="button" className="button" onClick={() => choose(id)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  </main>
);
