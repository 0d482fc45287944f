import { roles } from '../../schemas/access/roles.ts';
import type { Scope } from '../../schemas/access/scopes.ts';
import type { OAuthClient } from './client.ts';
import type { User } from './user.ts';

/** What a client may do for a user, of what was granted: never more than its own scopes, nor than the user's role now. */
export const delegatedScopes = (
  granted: Iterable<Scope>,
  client: Pick<OAuthClient, 'scopes'>,
  user: Pick<User, 'role'>,
): Scope[] => {
  const held: ReadonlySet<Scope> = new Set(client.scopes);
  const allowed: ReadonlySet<Scope> = new Set(roles[user.role]);
  return [...granted].filter((scope) => held.has(scope) && allowed.has(scope));
};

/** Whether a person may still act as the user who signed in: not removed, and not a later user of the same address. */
export const isSameActiveUser = (user: User | null, userId: string): user is User =>
  user !== null && user.removed_at === null && user.user_id === userId;
