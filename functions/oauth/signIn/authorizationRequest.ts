import type { Scope } from '../../../schemas/access/scopes.ts';
import type { OAuthClient } from '../../access/client.ts';
import { ProblemError } from '../../shared/problem.ts';
import { isPkceText } from '../pkce.ts';
import { requestedScopes } from '../requestedScopes.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';
import type { Parameters } from './parameters.ts';
import type { RedirectTarget } from './redirect.ts';

const STATE_MAXIMUM = 1_024;

/**
 * The client and where its answer goes. Throws INVALID_REQUEST, which stays in this browser: nobody is ever redirected
 * to an address that the client did not register, character by character.
 */
export const requireRedirectTarget = (
  parameters: Parameters,
  client: OAuthClient | null,
): RedirectTarget & { readonly client: OAuthClient } => {
  if (client === null || client.deleted_at !== null || !client.grant_types.includes('authorization_code')) {
    throw new ProblemError('INVALID_REQUEST', 'client_id names no client that signs users in.');
  }
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) {
    throw new ProblemError('INVALID_REQUEST', 'redirect_uri is not one of the client’s.');
  }
  const state = parameters.get('state') ?? '';
  return { client, redirectUri, state: state === '' || state.length > STATE_MAXIMUM ? null : state };
};

/** What a client asks for when it sends a user here, once all of it is right. */
export interface AuthorizationRequest {
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
  /** The oldest sign-in that will do, in seconds; null for any. */
  readonly maxAge: number | null;
  /** Whether the user is to sign in anew whatever session they have. */
  readonly asksLogin: boolean;
}

/** The request behind its return address, or the first fault in it. */
export const readAuthorizationRequest = (
  { get, repeated }: Parameters,
  client: Pick<OAuthClient, 'scopes'>,
): AuthorizationRequest | AuthorizationError => {
  if (repeated.size > 0) return authorizationError('invalid_request', 'A parameter is repeated.');
  if ((get('state')?.length ?? 0) > STATE_MAXIMUM)
    return authorizationError('invalid_request', 'state is too long.');
  if (get('request') !== undefined)
    return authorizationError('request_not_supported', 'Send plain parameters.');
  if (get('request_uri') !== undefined)
    return authorizationError('request_uri_not_supported', 'Send plain parameters.');

  const responseType = get('response_type');
  if (responseType === undefined) return authorizationError('invalid_request', 'response_type is required.');
  if (responseType !== 'code')
    return authorizationError('unsupported_response_type', 'response_type has to be code.');
  if ((get('response_mode') ?? 'query') !== 'query') {
    return authorizationError('invalid_request', 'response_mode has to be query.');
  }

  const codeChallenge = get('code_challenge');
  // A challenge without a method would mean plain (RFC 7636 §4.3), and a request without one no protection at all.
  if (codeChallenge === undefined || get('code_challenge_method') !== 'S256') {
    return authorizationError(
      'invalid_request',
      'code_challenge with code_challenge_method S256 is required.',
    );
  }
  if (!isPkceText(codeChallenge))
    return authorizationError('invalid_request', 'code_challenge is malformed.');

  const scopes = requestedScopes(get('scope'), client.scopes);
  if (scopes === null)
    return authorizationError('invalid_scope', 'The client may not have every scope it asks for.');

  const maxAge = get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return authorizationError('invalid_request', 'max_age has to be a number of seconds.');
  }
  const prompts = get('prompt')?.split(' ') ?? [];
  if (prompts.includes('none'))
    return authorizationError('login_required', 'The user has to see the sign-in.');

  return {
    scopes,
    codeChallenge,
    maxAge: maxAge === undefined ? null : Number(maxAge),
    asksLogin: prompts.includes('login'),
  };
};

/** The earliest sign-in that will do for a request made at `now`, both in epoch milliseconds; null when any will. */
export const signedInSince = (
  { maxAge, asksLogin }: Pick<AuthorizationRequest, 'maxAge' | 'asksLogin'>,
  now: number,
): number | null => {
  if (asksLogin) return now;
  return maxAge === null ? null : now - maxAge * 1_000;
};
