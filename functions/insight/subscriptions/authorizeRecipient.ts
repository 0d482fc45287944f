import type { Scope } from '../../../schemas/identity/scopes.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { CredentialLists } from '../../identity/access/principals/credential.store.ts';
import { findUserWhere } from '../../identity/users/findUser.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Authorization } from '../../platform/tenancy/authorization.ts';
import { authorizationBy, type Caller } from '../../platform/tenancy/caller.ts';

/** What a report can contain. Nobody authorizes more by it. */
const READABLE: readonly Scope[] = ['read:reporting', RECORDS_SCOPE];

const limitedTo = (caller: Caller, scopes: readonly Scope[], at: number): Authorization => {
  const authorization = authorizationBy(caller, at);
  return { ...authorization, scopes: authorization.scopes.filter((scope) => scopes.includes(scope)) };
};

const requireAdministrator = ({ scopes }: Caller): void => {
  if (scopes.has('admin:config')) return;
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    'A report to the chat or to another person needs the scope admin:config.',
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="admin:config"' } },
  );
};

const invalidRecipient = (detail: string): ProblemError =>
  new ProblemError('VALIDATION_FAILED', 'The report has no recipient.', {
    errors: [{ pointer: '/recipient', detail }],
  });

/** The authorization of a report to the chat, whose readers have no role. Throws INSUFFICIENT_SCOPE. */
export const authorizeChat = (caller: Caller, at: number): Authorization => {
  requireAdministrator(caller);
  return limitedTo(caller, ['read:reporting'], at);
};

/**
 * The authorization of the user who gets a report: what the role of that user reads, and no more than the caller may read.
 * `recipient` is the id of a user. Default: the caller. Throws VALIDATION_FAILED or INSUFFICIENT_SCOPE.
 */
export const authorizeRecipient = async (
  users: CredentialLists,
  caller: Caller,
  recipient: string | undefined,
  at: number,
): Promise<Authorization> => {
  const own = limitedTo(caller, READABLE, at);
  if (own.kind === 'user' && (recipient ?? own.id) === own.id) return own;
  if (recipient === undefined) throw invalidRecipient('must be a user, because no user calls');
  requireAdministrator(caller);
  const user = await findUserWhere(users, caller.tenant, ({ user_id }) => user_id === recipient);
  if (user === null || user.removed_at !== null) throw invalidRecipient('must be the id of an active user');
  return { kind: 'user', id: user.user_id, email: user.email, scopes: own.scopes, at: own.at };
};
