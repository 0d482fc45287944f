import * as z from 'zod';
import { route } from '../route.ts';

const parameter = (description: string) => z.string().optional().meta({ description });

/** Unknown parameters are ignored. An invalid one is reported to redirect_uri, not as a 422. */
const AuthorizationQuery = z.object({
  client_id: parameter('Required. A client with the grant type authorization_code'),
  redirect_uri: parameter('Required. Exactly one of the redirect URIs of the client'),
  response_type: parameter('Required. Always `code`'),
  code_challenge: parameter('Required. PKCE (RFC 7636): BASE64URL(SHA-256(code_verifier))'),
  code_challenge_method: parameter('Required. Always `S256`'),
  scope: parameter('Space-separated. Default: all scopes of the client'),
  state: parameter('Returned unchanged. At most 1,024 characters'),
  max_age: parameter('Maximum age of the sign-in in seconds. 0 requires a new sign-in'),
  prompt: parameter('`login` requires a new sign-in. `none` returns login_required'),
  response_mode: parameter('Always `query` (the default)'),
});

const redirect = (description: string) => ({ description, headers: { Location: 'Redirect target' } });

export const authorize = route({
  method: 'GET',
  path: '/v1/oauth/authorize',
  operation: 'authorize',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'signIn',
  summary: 'Start the sign-in of a user (RFC 6749 §4.1, PKCE S256)',
  description:
    'For browsers. The user signs in at the identity provider. The service then redirects to redirect_uri with code, state and iss (RFC 9207). An unknown client or redirect_uri returns 400 without a redirect. Every other error is sent to redirect_uri in error and error_description. The values of error are invalid_request, unsupported_response_type, invalid_scope, login_required, request_not_supported, request_uri_not_supported, access_denied (the user does not belong to the tenant, or the user’s role allows none of the scopes), server_error and temporarily_unavailable. A sign-in must be completed within 10 minutes and in the browser that started it.',
  access: 'public',
  discloses: 'none',
  rate: 'source',
  needs: ['access.read', 'grants.start'],
  query: AuthorizationQuery,
  queryErrors: 'redirected',
  replies: { 302: redirect('Redirect to the identity provider, or to redirect_uri after an error') },
});

const CallbackQuery = z.object({
  state: parameter('Identifies the sign-in'),
  code: parameter('Authorization code of the identity provider'),
  error: parameter('Error code of the identity provider'),
});

export const finishSignIn = route({
  method: 'GET',
  path: '/v1/oauth/callback',
  operation: 'finishSignIn',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'signIn',
  summary: 'Receive the redirect of the identity provider',
  description:
    'Not for clients. Works once for each sign-in, and only in the browser that started it. The authorization code for the client is valid for 60 seconds and works once.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: ['access.read', 'grants.start', 'grants.session', 'audit.append'],
  query: CallbackQuery,
  replies: { 302: redirect('Redirect to the redirect_uri of the client with a code or an error') },
});
