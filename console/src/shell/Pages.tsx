import { Route, Switch } from 'wouter';
import { useSession } from '../session/session.ts';
import { NotAllowed } from './NotAllowed.tsx';
import { NotFound } from './NotFound.tsx';
import { pageGroups } from './pages.ts';

const entries = pageGroups.flatMap(({ pages }) => pages);

/** The page of the address, if the role of the person includes it. */
export const Pages = () => {
  const { scopes } = useSession();
  return (
    <Switch>
      {entries.flatMap(({ path, page, below = [], name, scope }) =>
        [{ path, page }, ...below].map(({ path: own, page: Content }) => (
          <Route key={own} path={own}>
            {scope === undefined || scopes.includes(scope) ? (
              <Content />
            ) : (
              <NotAllowed name={name} scope={scope} />
            )}
          </Route>
        )),
      )}
      <Route component={NotFound} />
    </Switch>
  );
};
