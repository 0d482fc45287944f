import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { ApiProvider } from '../api/ApiProvider.tsx';
import { Failure } from '../components/Failure.tsx';
import { accessTokens } from './accessToken.ts';
import { SignIn } from './SignIn.tsx';
import { type Session, SessionContext } from './session.ts';
import { chooseTenant, readSession, type SessionReply } from './sessionApi.ts';
import { TenantChooser } from './TenantChooser.tsx';

type State = SessionReply | null | Error | undefined;

/** Renders the console for a person with a session, and the way to one for everybody else. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [state, setState] = useState<State>();
  const queries = useQueryClient();
  const load = useCallback((read: () => Promise<SessionReply | null>) => {
    read().then(setState, (error: unknown) =>
      setState(error instanceof Error ? error : Error(String(error))),
    );
  }, []);
  useEffect(() => load(readSession), [load]);

  const choose = useCallback(
    (tenantId: string) => {
      queries.clear();
      load(() => chooseTenant(tenantId));
    },
    [load, queries],
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
    };
  }, [state, choose]);
  const token = useMemo(() => (state && !(state instanceof Error) ? accessTokens(state) : null), [state]);

  if (state === undefined) return null;
  if (state === null) return <SignIn />;
  if (state instanceof Error)
    return (
      <main className="gate">
        <Failure error={state} retry={() => load(readSession)} />
      </main>
    );
  if (session === null || token === null) return <TenantChooser tenants={state.tenants} choose={choose} />;
  return (
    <SessionContext value={session}>
      <ApiProvider token={token} key={session.tenant.id}>
        {children}
      </ApiProvider>
    </SessionContext>
  );
};
