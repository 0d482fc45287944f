import * as z from 'zod';
import { route } from './route.ts';

const parameter = (description: string) => z.string().optional().meta({ description });

/** Parameters the service does not know are ignored; a fault in one is told where the user came from, not as a 422. */
const AuthorizationQuery = z.object({
  client_id: parameter('Required. A client with the grant type authorization_code'),
  redirect_uri: parameter('Required. One of the client’s own, character by character'),
  response_type: parameter('Required. Always `code`'),
  code_challenge: parameter('Required. PKCE (RFC 7636): BASE64URL(SHA-256(code_verifier))'),
  code_challenge_method: parameter('Required. Always `S256`'),
  scope: parameter('Space-separated; default all scopes of the client'),
  state: parameter('Given back as it came; at most 1,024 characters'),
  max_age: parameter('The oldest sign-in that will do, in seconds; 0 asks for a new one'),
  prompt: parameter('`login` asks for a new sign-in; `none` is answered login_required'),
  response_mode: parameter('Always `query`, which is the default'),
});

const redirect = (description: string) => ({ description, headers: { Location: 'Where the browser goes' } });

export const authorize = route({
  method: 'GET',
  path: '/v1/oauth/authorize',
  operation: 'authorize',
  unit: 'signIn',
  summary: 'Begin a user’s sign-in (RFC 6749 §4.1, PKCE S256)',
  description:
    'For browsers. The user signs in at the identity provider and comes back to redirect_uri with code, state and iss (RFC 9207). An unknown client or redirect_uri is answered 400 and never redirected; every other fault goes to redirect_uri as error and error_description: invalid_request, unsupported_response_type, invalid_scope, login_required, request_not_supported, request_uri_not_supported, access_denied (the user is none of the tenant’s, or their role allows none of the scopes), server_error, temporarily_unavailable. A sign-in has 10 minutes, and ends in the browser that began it.',
  access: 'public',
  rate: 'none',
  needs: ['access.read', 'grants.begin'],
  query: AuthorizationQuery,
  replies: { 302: redirect('To the identity provider; with a fault, back to redirect_uri') },
});

const CallbackQuery = z.object({
  state: parameter('Ties the answer to the sign-in'),
  code: parameter('What the identity provider gave'),
  error: parameter('Why it gave none'),
});

export const finishSignIn = route({
  method: 'GET',
  path: '/v1/oauth/callback',
  operation: 'finishSignIn',
  unit: 'signIn',
  summary: 'Where the identity provider sends the user back to',
  description:
    'Not for clients. Taken once, and only in the browser in which the sign-in began; the code that the client is given lives for 60 seconds and works once.',
  access: 'public',
  rate: 'none',
  needs: ['access.read', 'grants.begin', 'audit.append'],
  query: CallbackQuery,
  replies: { 302: redirect('To the client’s redirect_uri, with a code or an error') },
});
