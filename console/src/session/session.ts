import { createContext, useContext } from 'react';

interface Tenant {
  readonly id: string;
  readonly name: string;
}

/** The person who uses the console, in one tenant. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  /** `sandbox` marks a tenant with synthetic data. */
  readonly tenant: Tenant & { readonly sandbox: boolean };
  readonly tenants: readonly Tenant[];
  readonly scopes: readonly string[];
  readonly switchTenant: (tenantId: string) => void;
  readonly signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession is used outside of a session');
  return session;
};

/** Whether the person may do what a scope allows. The service decides again on each request. */
export const useCan = (scope: string): boolean => useSession().scopes.includes(scope);
