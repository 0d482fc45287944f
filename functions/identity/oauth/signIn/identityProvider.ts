import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import * as z from 'zod';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { cacheLookups } from '../../../platform/shared/caches/lookupCache.ts';
import { unavailable } from '../../../platform/shared/problem.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { challengeOf } from '../pkce.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';
import type { SignInBinding } from './browserBinding.ts';
import type { IdentityClaims } from './createGrant.ts';

/** A sign-in makes at most three calls to the provider, and the function has a timeout of ten seconds. */
const TIMEOUT_SECONDS = 2.5;
/** Discovery metadata changes rarely. */
const DISCOVERY_CACHE_MS = HOUR_MS;

export interface IdentityProvider {
  /** The URL where the user signs in. `maxAge` is in seconds. Throws SERVICE_UNAVAILABLE if discovery fails. */
  readonly signInUrl: (
    binding: SignInBinding,
    freshness: { readonly maxAge: number | null; readonly requiresLogin: boolean },
  ) => Promise<string>;
  /** The claims of the user from the callback query, or the error of the provider. Throws if the response is not valid. */
  readonly verifyCallback: (
    binding: SignInBinding,
    rawQuery: string,
  ) => Promise<IdentityClaims | AuthorizationError>;
  /**
   * The URL where the provider ends its session and returns to `returnTo`. Null if it has none. Throws if discovery fails.
   */
  readonly signOutUrl: (returnTo: string) => Promise<string | null>;
}

const Claims = z.object({
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.unknown().optional(),
  /** Epoch seconds. */
  auth_time: z.int().optional(),
});

/** An OpenID Connect provider where we are a public client: PKCE, state and nonce protect the sign-in. */
export const identityProvider = (options: {
  readonly issuer: string;
  readonly clientId: string;
  /** The redirect URI for the provider. */
  readonly callback: string;
  /** Allows plain http. For a local provider only. */
  readonly allowHttp: boolean;
  readonly clock: Clock;
  /** Converts a time of the provider's clock to `clock`. */
  readonly fromOutside: (instant: number) => number;
}): IdentityProvider => {
  const { issuer, clientId, callback, allowHttp, clock, fromOutside } = options;
  const discoverCached = cacheLookups(
    (url) =>
      discovery(new URL(url), clientId, undefined, None(), {
        timeout: TIMEOUT_SECONDS,
        // The id token comes directly over TLS, but a proxy may terminate TLS. So its signature is verified too.
        execute: [enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])],
      }),
    { lifetime: DISCOVERY_CACHE_MS, capacity: 1, clock },
  );
  const configuration = async () => {
    const metadata = await discoverCached(issuer).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (metadata === null) throw new Error('the identity provider returned no metadata');
    return metadata;
  };

  return {
    signInUrl: async ({ state, nonce, codeVerifier }, { maxAge, requiresLogin }) =>
      buildAuthorizationUrl(await configuration(), {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: challengeOf(codeVerifier),
        code_challenge_method: 'S256',
        ...(maxAge !== null && { max_age: String(maxAge) }),
        ...(requiresLogin && { prompt: 'login' }),
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
          ? authorizationError('access_denied', 'The user did not consent at the identity provider.')
          : authorizationError('server_error', 'The identity provider refused the sign-in.');
      }
    },
    signOutUrl: async (returnTo) => {
      const metadata = await configuration();
      return metadata.serverMetadata().end_session_endpoint === undefined
        ? null
        : // Cognito has its own name for the address (OpenID Connect RP-Initiated Logout has the other).
          buildEndSessionUrl(metadata, { post_logout_redirect_uri: returnTo, logout_uri: returnTo }).href;
    },
  };
};
