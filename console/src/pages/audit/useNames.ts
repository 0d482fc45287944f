import { listApiKeys, listOAuthClients, listUsers } from '../../../../sdk/typescript/src/operations.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { useCan } from '../../session/session.ts';

const LIMIT = { limit: 200 };

/** The names of users, keys and clients by their ids. Empty until they are read, and for those who may not list them. */
export const useNames = (): ReadonlyMap<string, string> => {
  const names = useRead(
    ['names'],
    async (client, options) => {
      const [users, keys, clients] = await Promise.all([
        everyRow(listUsers(client, LIMIT, options)),
        everyRow(listApiKeys(client, LIMIT, options)),
        everyRow(listOAuthClients(client, LIMIT, options)),
      ]);
      return new Map([
        ...users.map(({ id, email }) => [id, email] as const),
        ...keys.map(({ id, name }) => [id, name] as const),
        ...clients.map(({ client_id: id, name }) => [id, name] as const),
      ]);
    },
    { enabled: useCan('admin:config') },
  );
  return names.data ?? new Map();
};
