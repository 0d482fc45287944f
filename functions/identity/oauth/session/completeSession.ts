import { randomBytes } from 'node:crypto';
import type { finishSignIn } from '../../../../schemas/routes/identity/signIn.ts';
import { createNew } from '../../../platform/shared/retry/optimisticUpdate.ts';
import type { StoresOf } from '../../../stores.ts';
import { sessionIdOf } from '../../access/grants/grant.store.ts';
import type { ConsoleSignIn } from '../../access/grants/grant.ts';
import type { Membership } from '../../access/principals/membership.ts';
import { newSecret } from '../../access/principals/secret.ts';
import { normalizeEmail } from '../../access/principals/user.ts';
import type { CallInfo } from '../../audit/auditContext.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { type AuthorizationError, authorizationError } from '../signIn/authorizationError.ts';
import { type IdentityClaims, isRecent, signInTooOld } from '../signIn/createGrant.ts';
import { consoleGrant, grantWrites } from './consoleGrant.ts';
import { findSession } from './findSession.ts';
import { SESSION_SECONDS } from './sessionCookie.ts';

type Stores = StoresOf<typeof finishSignIn>;

/**
 * The tenant of a new session: the only one, that of the session it replaces, or the last one of the browser. So a tenant
 * that adds a person of another one changes nothing for the person, who can choose it. Null: the user chooses.
 */
const tenantOf = (memberships: readonly Membership[], remembered: string | undefined): Membership | null => {
  const [first, second] = memberships;
  if (first !== undefined && second === undefined) return first;
  return memberships.find(({ tenant_id }) => tenant_id === remembered) ?? null;
};

/** Ends the session that this browser had before, with its access tokens. */
const endReplacedSession = async (
  { replaced_session }: ConsoleSignIn,
  call: CallInfo,
  stores: Stores,
): Promise<void> => {
  const replaced = replaced_session === null ? null : await stores.sessions.takeSession(replaced_session);
  if (replaced?.grant_id != null) await revokeGrant(replaced.grant_id, 'token.revoke', call, stores);
};

/**
 * Opens a session of the console after a sign-in at the provider, in the tenant that the browser remembers. Returns the
 * secret for its cookie and its tenant, or the error to show.
 * The secret is always new, so nobody can place a known session in the browser of another person (session fixation).
 */
export const completeSession = async (
  signIn: ConsoleSignIn,
  person: IdentityClaims,
  remembered: string | undefined,
  call: CallInfo,
  stores: Stores,
): Promise<{ readonly secret: string; readonly tenantId: string | undefined } | AuthorizationError> => {
  const { requestId, receivedAt: now } = call;
  if (!isRecent(person, signIn.signed_in_since)) return signInTooOld();
  const memberships = person.email === null ? [] : await stores.credentials.memberships(person.email);
  if (person.email === null || memberships.length === 0)
    return authorizationError('access_denied', 'The person who signed in is not a user of any tenant.');

  const { replaced_session: replacedId } = signIn;
  const replaced = replacedId === null ? null : await findSession(replacedId, now, stores);
  const expiresAt = now + SESSION_SECONDS * 1_000;
  // An unknown time counts as 1970, and a future time as now. Neither makes the sign-in look more recent.
  const signedInAt = Math.min(person.signedInAt ?? 0, now);
  const identity = { email: person.email, signedInAt, expiresAt };
  const tenant = tenantOf(memberships, replaced?.grant?.tenant_id ?? remembered);
  const grant = tenant === null ? null : await consoleGrant(tenant, identity, call, stores.credentials);
  const session = {
    email: normalizeEmail(person.email),
    signed_in_at: signedInAt,
    expires_at: expiresAt,
    grant_id: grant?.grant_id ?? null,
  };
  const secret = newSecret(randomBytes);
  await createNew(requestId, (options) => [
    stores.sessions.putSession(sessionIdOf(secret), session, options),
    ...(grant === null ? [] : grantWrites(grant, call, options, stores)),
  ]);
  await endReplacedSession(signIn, call, stores);
  return { secret, tenantId: grant?.tenant_id };
};
