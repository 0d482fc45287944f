import { DAY_MS } from '../../../../schemas/durations.ts';
import { delegatedScopes } from '../../access/grants/delegation.ts';
import type { Grant, SignIn } from '../../access/grants/grant.ts';
import type { User } from '../../access/principals/user.ts';
import { CLOCK_SKEW_SECONDS } from '../../access/tokens/tokenLifetime.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';

/** The maximum lifetime of a grant. Then the user must sign in again. */
const GRANT_LIFETIME_MS = 30 * DAY_MS;

/** The verified claims of the identity provider about the person who signed in. */
export interface IdentityClaims {
  /** Null if the provider returns no address or has not verified it. */
  readonly email: string | null;
  /** Epoch milliseconds; null if the provider does not return it. */
  readonly signedInAt: number | null;
}

/** Whether the sign-in is as recent as requested. False if its time is unknown. */
export const isRecent = ({ signedInAt }: IdentityClaims, since: number | null): boolean =>
  since === null || (signedInAt !== null && signedInAt >= since - CLOCK_SKEW_SECONDS * 1_000);

export const signInTooOld = (): AuthorizationError =>
  authorizationError('login_required', 'The sign-in is older than max_age or prompt allows. Sign in again.');

/** The grant for a sign-in at `now` (epoch milliseconds), or the error to return to the client. */
export const createGrant = (
  signIn: Pick<SignIn, 'client_id' | 'tenant_id' | 'tenant_tag' | 'scopes' | 'signed_in_since'>,
  person: IdentityClaims,
  user: User | null,
  { now, grantId }: { readonly now: number; readonly grantId: string },
): Grant | AuthorizationError => {
  if (!isRecent(person, signIn.signed_in_since)) return signInTooOld();
  if (user === null || user.removed_at !== null) {
    const refused = authorizationError(
      'access_denied',
      'The person who signed in is not a user of this tenant.',
    );
    return { ...refused, refusal: 'INVALID_CREDENTIALS' };
  }
  const scopes = delegatedScopes(signIn.scopes, { scopes: signIn.scopes }, user);
  if (scopes.length === 0) {
    const refused = authorizationError(
      'access_denied',
      'The role of the user allows none of the requested scopes.',
    );
    return { ...refused, refusal: 'INSUFFICIENT_SCOPE' };
  }
  return {
    grant_id: grantId,
    client_id: signIn.client_id,
    tenant_id: signIn.tenant_id,
    tenant_tag: signIn.tenant_tag,
    user_id: user.user_id,
    email: user.email,
    scopes,
    // An unknown time counts as 1970, and a future time as now. Neither makes the sign-in look more recent.
    signed_in_at: Math.min(person.signedInAt ?? 0, now),
    refresh: null,
    expires_at: now + GRANT_LIFETIME_MS,
    revoked_at: null,
  };
};
