import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import * as z from 'zod';
import type { Clock } from '../../shared/clock.ts';
import { cacheLookups } from '../../shared/lookupCache.ts';
import { challengeOf } from '../pkce.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';
import type { SignInBinding } from './browserBinding.ts';
import type { IdentityClaims } from './createGrant.ts';

/** Three calls at most, within the ten seconds that the function has. */
const TIMEOUT_SECONDS = 2.5;
/** What a provider says of itself changes rarely. */
const DISCOVERY_LIFETIME = 60 * 60 * 1_000;

export interface IdentityProvider {
  /** Where the browser goes to sign in; `maxAge` in seconds. Throws when the provider cannot be asked. */
  readonly signInUrl: (
    ties: SignInBinding,
    freshness: { readonly maxAge: number | null; readonly asksLogin: boolean },
  ) => Promise<string>;
  /** Who signed in, from the query the browser came back with, or why nobody did. Throws when the answer is not good. */
  readonly verifyCallback: (
    ties: SignInBinding,
    rawQuery: string,
  ) => Promise<IdentityClaims | AuthorizationError>;
}

const Claims = z.object({
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.unknown().optional(),
  /** Epoch seconds. */
  auth_time: z.int().optional(),
});

/** An OpenID Connect provider that knows us as a public client: nothing but PKCE, state and nonce proves who we are. */
export const identityProvider = (options: {
  readonly issuer: string;
  readonly clientId: string;
  /** Where the provider sends the browser back to. */
  readonly callback: string;
  /** Plain http: for a provider on the same machine. */
  readonly allowHttp: boolean;
  readonly clock: Clock;
  /** An instant of the provider's clock as `clock` has it. */
  readonly fromOutside: (instant: number) => number;
}): IdentityProvider => {
  const { issuer, clientId, callback, allowHttp, clock, fromOutside } = options;
  const discoverCached = cacheLookups(
    (url) =>
      discovery(new URL(url), clientId, undefined, None(), {
        timeout: TIMEOUT_SECONDS,
        // The signature is verified though the token comes straight from the provider: TLS ends where a proxy says.
        execute: [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])],
      }),
    { lifetime: DISCOVERY_LIFETIME, capacity: 1, clock },
  );
  const configuration = async () => {
    const found = await discoverCached(issuer);
    if (found === null) throw new Error('the identity provider describes itself as nothing');
    return found;
  };

  return {
    signInUrl: async ({ state, nonce, codeVerifier }, { maxAge, asksLogin }) =>
      buildAuthorizationUrl(await configuration(), {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: challengeOf(codeVerifier),
        code_challenge_method: 'S256',
        ...(maxAge !== null && { max_age: String(maxAge) }),
        ...(asksLogin && { prompt: 'login' }),
      }).href,
    verifyCallback: async ({ state, nonce, codeVerifier }, rawQuery) => {
      try {
        const tokens = await authorizationCodeGrant(
          await configuration(),
          new URL(`${callback}?${rawQuery}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          },
        );
        const { email, email_verified, auth_time } = Claims.parse(tokens.claims());
        return {
          email: email_verified === true ? (email ?? null) : null,
          signedInAt: auth_time === undefined ? null : fromOutside(auth_time * 1_000),
        };
      } catch (error) {
        if (!(error instanceof AuthorizationResponseError)) throw error;
        return error.error === 'access_denied'
          ? authorizationError('access_denied', 'The identity provider was not allowed to say who signs in.')
          : authorizationError('server_error', 'The identity provider refused the sign-in.');
      }
    },
  };
};
