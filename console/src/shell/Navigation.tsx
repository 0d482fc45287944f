import { Link, useRoute } from 'wouter';
import { Icon } from '../components/Icon.tsx';
import { useSession } from '../session/session.ts';
import { Brand } from './Brand.tsx';
import { Person } from './Person.tsx';
import { type PageEntry, pageGroups } from './pages.ts';

type EntryProps = Pick<PageEntry, 'path' | 'name' | 'icon' | 'mark'>;

const Entry = ({ path, name, icon, mark: Mark }: EntryProps) => {
  const [isExact] = useRoute(path);
  const [isBelow] = useRoute(path === '/' ? '/' : `${path}/*`);
  return (
    <li>
      <Link href={path} aria-current={isExact || isBelow ? 'page' : undefined}>
        <Icon name={icon} />
        {name}
        {Mark !== undefined && <Mark />}
      </Link>
    </li>
  );
};

export const Navigation = ({ isOpen }: { isOpen: boolean }) => {
  const { tenant, scopes } = useSession();
  return (
    <nav className={isOpen ? 'side open' : 'side'} aria-label="Console">
      <Brand tenant={tenant.name} isSandbox={tenant.sandbox} />
      {pageGroups.map(({ title, pages }) => {
        const visible = pages.filter(({ scope }) => scope === undefined || scopes.includes(scope));
        return (
          visible.length > 0 && (
            <div key={title ?? 'main'}>
              {title !== undefined && <h2>{title}</h2>}
              <ul>
                {visible.map((page) => (
                  <Entry key={page.path} {...page} />
                ))}
              </ul>
            </div>
          )
        );
      })}
      <Person />
    </nav>
  );
};
