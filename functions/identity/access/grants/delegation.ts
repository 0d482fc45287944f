import { roles } from '../../../../schemas/identity/roles.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import type { OAuthClient } from '../principals/client.ts';
import type { User } from '../principals/user.ts';

/** The granted scopes that the client may still use for the user: limited by the client and by the user's current role. */
export const delegatedScopes = (
  granted: Iterable<Scope>,
  client: Pick<OAuthClient, 'scopes'>,
  user: Pick<User, 'role'>,
): Scope[] => {
  const clientScopes: ReadonlySet<Scope> = new Set(client.scopes);
  const roleScopes: ReadonlySet<Scope> = new Set(roles[user.role]);
  return [...granted].filter((scope) => clientScopes.has(scope) && roleScopes.has(scope));
};

/** Whether the user who signed in is still active. False for a later user who was registered with the same address. */
export const isSameActiveUser = (user: User | null, userId: string): user is User =>
  user !== null && user.removed_at === null && user.user_id === userId;
