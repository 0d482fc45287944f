import type { Scope } from '../../../../schemas/identity/scopes.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { OAuthClient } from '../../access/principals/client.ts';
import { isPkceText } from '../pkce.ts';
import { requestedScopes } from '../requestedScopes.ts';
import { type AuthorizationError, authorizationError } from './authorizationError.ts';
import type { Parameters } from './parameters.ts';
import type { RedirectTarget } from './redirect.ts';

const STATE_MAX_LENGTH = 1_024;

/** An unregistered client or redirect URI. Names the parameter that was probably meant if its name is misspelt. */
const notRegistered = ({ misspeltName }: Parameters, name: string, detail: string): ProblemError => {
  const misspelt = misspeltName(name);
  const error =
    misspelt === undefined ? { parameter: name, detail } : { parameter: misspelt, detail, suggestion: name };
  return new ProblemError('INVALID_REQUEST', detail, { errors: [error] });
};

/** The description of a missing parameter. It does not repeat what was sent, because it is not made for every character. */
const missing = ({ misspeltName }: Parameters, name: string, detail: string): AuthorizationError =>
  authorizationError(
    'invalid_request',
    misspeltName(name) === undefined
      ? detail
      : `${detail} The request has a parameter with a similar name: did you mean ${name}?`,
  );

/**
 * The client and its redirect URI. Throws INVALID_REQUEST, which is shown in the browser instead of redirected: the
 * redirect URI must equal a registered one character by character, otherwise this would be an open redirector.
 */
export const requireRedirectTarget = (
  parameters: Parameters,
  client: OAuthClient | null,
): RedirectTarget & { readonly client: OAuthClient } => {
  if (client === null || client.deleted_at !== null || !client.grant_types.includes('authorization_code')) {
    throw notRegistered(
      parameters,
      'client_id',
      'client_id is not a client that is registered for the authorization_code grant type.',
    );
  }
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) {
    throw notRegistered(parameters, 'redirect_uri', 'redirect_uri is not registered for this client.');
  }
  const state = parameters.get('state') ?? '';
  return { client, redirectUri, state: state === '' || state.length > STATE_MAX_LENGTH ? null : state };
};

/** The validated parameters of an authorization request. */
export interface AuthorizationRequest {
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
  /** The maximum age of the sign-in in seconds; null for any. */
  readonly maxAge: number | null;
  /** Whether the user must sign in even with an active session (`prompt=login`). */
  readonly requiresLogin: boolean;
}

/** The validated authorization request, or the first error in it. */
export const readAuthorizationRequest = (
  parameters: Parameters,
  client: Pick<OAuthClient, 'scopes'>,
): AuthorizationRequest | AuthorizationError => {
  const { get, repeated, isUndecodable } = parameters;
  if (repeated.size > 0)
    return authorizationError('invalid_request', 'A parameter is repeated. Send each parameter once.');
  if (isUndecodable)
    return authorizationError('invalid_request', 'A parameter is not percent-encoded UTF-8.');
  if ((get('state')?.length ?? 0) > STATE_MAX_LENGTH)
    return authorizationError('invalid_request', `state is longer than ${STATE_MAX_LENGTH} characters.`);
  if (get('request') !== undefined)
    return authorizationError(
      'request_not_supported',
      'Request objects are not supported. Send plain parameters.',
    );
  if (get('request_uri') !== undefined)
    return authorizationError(
      'request_uri_not_supported',
      'Request objects are not supported. Send plain parameters.',
    );

  const responseType = get('response_type');
  if (responseType === undefined) return missing(parameters, 'response_type', 'response_type is required.');
  if (responseType !== 'code')
    return authorizationError('unsupported_response_type', 'response_type must be code.');
  if ((get('response_mode') ?? 'query') !== 'query') {
    return authorizationError('invalid_request', 'response_mode must be query.');
  }

  const codeChallenge = get('code_challenge');
  // A challenge without a method means `plain` (RFC 7636 §4.3). A request without a challenge has no PKCE protection.
  if (codeChallenge === undefined || get('code_challenge_method') !== 'S256') {
    const absent = codeChallenge === undefined ? 'code_challenge' : 'code_challenge_method';
    return missing(parameters, absent, 'code_challenge with code_challenge_method S256 is required.');
  }
  if (!isPkceText(codeChallenge))
    return authorizationError('invalid_request', 'code_challenge must be 43 to 128 unreserved characters.');

  const scopes = requestedScopes(get('scope'), client.scopes);
  if (scopes === null)
    return authorizationError(
      'invalid_scope',
      'The request has a scope that the client is not registered for.',
    );

  const maxAge = get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return authorizationError('invalid_request', 'max_age must be a whole number of seconds.');
  }
  const prompts = get('prompt')?.split(' ') ?? [];
  if (prompts.includes('none'))
    return authorizationError('login_required', 'prompt=none is not supported: the user must interact.');

  return {
    scopes,
    codeChallenge,
    maxAge: maxAge === undefined ? null : Number(maxAge),
    requiresLogin: prompts.includes('login'),
  };
};

/** The earliest acceptable sign-in for a request at `now`, both in epoch milliseconds; null if any is acceptable. */
export const signedInSince = (
  { maxAge, requiresLogin }: Pick<AuthorizationRequest, 'maxAge' | 'requiresLogin'>,
  now: number,
): number | null => {
  if (requiresLogin) return now;
  return maxAge === null ? null : now - maxAge * 1_000;
};
