import type { AuthorizationCode } from '../access/grants/grant.ts';
import { verifies } from './pkce.ts';

/** The parameters with which a client redeems a code. */
export interface Redemption {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/**
 * The validity of a code at `now` (epoch milliseconds). `replayed` requires the right client, redirect URI and PKCE
 * verifier. Otherwise the code is `invalid`, so that a thief without the verifier cannot revoke the user's grant.
 */
export const validateAuthorizationCode = (
  code: AuthorizationCode | null,
  { clientId, redirectUri, codeVerifier }: Redemption,
  now: number,
): 'valid' | 'replayed' | 'invalid' => {
  const isOwn =
    code !== null &&
    code.grant.client_id === clientId &&
    code.redirect_uri === redirectUri &&
    verifies(codeVerifier, code.code_challenge);
  if (!isOwn) return 'invalid';
  if (code.used) return 'replayed';
  return now < code.expires_at ? 'valid' : 'invalid';
};
