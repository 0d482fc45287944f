import type { AuthorizationCode } from '../access/grant.ts';
import { verifies } from './pkce.ts';

/** What a client brings to get a code's grant. */
export interface Redemption {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/**
 * What a code is worth at `now` (epoch milliseconds). Only whoever could have used it can use it again: a code brought
 * by another client, or without its verifier, is worthless used or not, so that a stolen one ends nobody's grant.
 */
export const validateAuthorizationCode = (
  code: AuthorizationCode | null,
  { clientId, redirectUri, codeVerifier }: Redemption,
  now: number,
): 'good' | 'replayed' | 'worthless' => {
  const isOwn =
    code !== null &&
    code.grant.client_id === clientId &&
    code.redirect_uri === redirectUri &&
    verifies(codeVerifier, code.code_challenge);
  if (!isOwn) return 'worthless';
  if (code.used) return 'replayed';
  return now < code.expires_at ? 'good' : 'worthless';
};
