import { delegatedScopes } from '../../access/delegation.ts';
import type { Grant, SignIn } from '../../access/grant.ts';
import { CLOCK_SKEW_SECONDS } from '../../access/tokenLifetime.ts';
import type { User } from '../../access/user.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';

/** Nothing renews a grant beyond this: then the user signs in again. */
const GRANT_LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000;

/** Who signed in, as the identity provider vouches for it. */
export interface IdentityClaims {
  /** Null when the provider names no address, or has not verified it. */
  readonly email: string | null;
  /** Epoch milliseconds; null when the provider does not say. */
  readonly signedInAt: number | null;
}

/** Whether a sign-in is as recent as was asked for. One whose instant is unknown is not. */
const isRecent = ({ signedInAt }: IdentityClaims, since: number | null): boolean =>
  since === null || (signedInAt !== null && signedInAt >= since - CLOCK_SKEW_SECONDS * 1_000);

/** The grant that a sign-in gives at `now` (epoch milliseconds), or why it gives none. */
export const createGrant = (
  signIn: SignIn,
  person: IdentityClaims,
  user: User | null,
  { now, grantId }: { readonly now: number; readonly grantId: string },
): Grant | AuthorizationError => {
  if (!isRecent(person, signIn.signed_in_since)) {
    return authorizationError('login_required', 'The sign-in is older than was asked for.');
  }
  if (user === null || user.removed_at !== null) {
    const refused = authorizationError('access_denied', 'Whoever signed in is no user here.');
    return { ...refused, refusal: 'INVALID_CREDENTIALS' };
  }
  const scopes = delegatedScopes(signIn.scopes, { scopes: signIn.scopes }, user);
  if (scopes.length === 0) {
    const refused = authorizationError(
      'access_denied',
      'The role of the user allows nothing that was asked for.',
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
    // An unknown instant counts as long ago, and one ahead of us as now: neither makes a sign-in look fresher.
    signed_in_at: Math.min(person.signedInAt ?? 0, now),
    refresh: null,
    expires_at: now + GRANT_LIFETIME_MS,
    revoked_at: null,
  };
};
