import { Icon } from '../components/Icon.tsx';
import { wordFor } from '../format/words.ts';
import { useSession } from '../session/session.ts';
import { useTheme } from './theme.ts';

/** Who is signed in, and the switches that concern this person and device only. */
export const Person = () => {
  const { email, role, tenant, tenants, switchTenant, signOut } = useSession();
  const [theme, nextTheme] = useTheme();
  return (
    <div className="person">
      {tenants.length > 1 && (
        <label className="tenant">
          <span className="visually-hidden">Tenant</span>
          <select value={tenant.id} onChange={({ target }) => switchTenant(target.value)}>
            {tenants.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <span className="avatar" aria-hidden="true">
        {email.slice(0, 2).toUpperCase()}
      </span>
      <span className="email cut" title={email}>
        {email}
      </span>
      <span className="role sub">{wordFor(role)}</span>
      <span className="person-actions">
        <button
          type="button"
          className="icon-button"
          title={`Colours: ${theme}`}
          aria-label={`Colours: ${theme}. Change`}
          onClick={nextTheme}
        >
          <Icon name="theme" size={16} />
        </button>
        <button
          type="button"
          className="icon-button"
          title="Sign out"
          aria-label="Sign out"
          onClick={signOut}
        >
          <Icon name="out" size={16} />
        </button>
      </span>
    </div>
  );
};
