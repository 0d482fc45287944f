import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { ApiProvider } from '../api/ApiProvider.tsx';
import { Failure } from '../components/reading/Failure.tsx';
import { accessTokens } from './accessToken.ts';
import { SignIn } from './SignIn.tsx';
import { type Session, SessionContext } from './session.ts';
import { chooseTenant, endSession, readSession, type SessionReply } from './sessionApi.ts';
import { TenantChooser } from './TenantChooser.tsx';

type State = SessionReply | null | Error | undefined;

/** The browser can keep a page that was left, and show it again with the data of a session that has ended. */
const reloadIfKept = ({ persisted }: PageTransitionEvent): void => {
  if (persisted) location.reload();
};

/** Renders the console for a person with a session, and the way to one for everybody else. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [state, setState] = useState<State>();
  const queries = useQueryClient();
  /** Shows another session. What the pages read in the former one is forgotten. */
  const show = useCallback(
    (next: State) => {
      queries.clear();
      setState(next);
    },
    [queries],
  );
  const load = useCallback(
    (read: () => Promise<SessionReply | null>) =>
      read().then(show, (error: unknown) => show(error instanceof Error ? error : Error(String(error)))),
    [show],
  );
  useEffect(() => {
    load(readSession);
    addEventListener('pageshow', reloadIfKept);
    return () => removeEventListener('pageshow', reloadIfKept);
  }, [load]);

  const choose = useCallback(
    (tenantId: string) => {
      // The pages of the former tenant must not be used while the service changes it.
      show(undefined);
      load(() => chooseTenant(tenantId));
    },
    [load, show],
  );
  const signOut = useCallback(
    () =>
      load(async () => {
        location.assign(await endSession());
        return null;
      }),
    [load],
  );
  const session = useMemo((): Session | null => {
    if (!state || state instanceof Error || state.tenant === null) return null;
    return {
      userId: state.user.id ?? '',
      email: state.user.email,
      role: state.user.role ?? '',
      tenant: state.tenant,
      tenants: state.tenants,
      scopes: state.scopes,
      switchTenant: choose,
      signOut,
    };
  }, [state, choose, signOut]);
  const token = useMemo(
    () => (state && !(state instanceof Error) ? accessTokens(state, show) : null),
    [state, show],
  );

  if (state === undefined) return null;
  if (state === null) return <SignIn />;
  if (state instanceof Error)
    return (
      <main className="gate">
        <Failure error={state} retry={() => load(readSession)} />
      </main>
    );
  if (session === null || token === null)
    return (
      <TenantChooser email={state.user.email} tenants={state.tenants} choose={choose} signOut={signOut} />
    );
  return (
    <SessionContext value={session}>
      <ApiProvider token={token} key={`${session.userId} ${session.tenant.id}`}>
        {children}
      </ApiProvider>
    </SessionContext>
  );
};
