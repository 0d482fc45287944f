import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Client, createClient } from '../../../sdk/typescript/src/client.ts';

const ApiContext = createContext<Client | null>(null);

/** Gives the pages the client of the API. It waits for 429, renews tokens and repeats what is safe to repeat. */
export const ApiProvider = ({ token, children }: { token: () => Promise<string>; children: ReactNode }) => {
  const client = useMemo(
    () => createClient({ baseUrl: location.origin, credential: { token }, retries: 2 }),
    [token],
  );
  return <ApiContext value={client}>{children}</ApiContext>;
};

export const useClient = (): Client => {
  const client = useContext(ApiContext);
  if (client === null) throw new Error('useClient is used outside of ApiProvider');
  return client;
};
