import * as z from 'zod';
import { ClientAuthentication, GrantType } from '../../identity/oauthClient.ts';
import { scopeNames } from '../../identity/scopes.ts';
import { route } from '../route.ts';

/** Client authentication in the form. With HTTP Basic both are absent. A public client sends only its id. */
const clientMembers = { client_id: z.string().optional(), client_secret: z.string().optional() };

export const TokenRequest = z
  .object({
    grant_type: GrantType,
    ...clientMembers,
    scope: z.string().optional().meta({
      description:
        'For client_credentials and refresh_token: space-separated scopes of the client or of the grant. Default: all of them',
    }),
    code: z
      .string()
      .optional()
      .meta({ description: 'For authorization_code: the code that redirect_uri received' }),
    redirect_uri: z
      .string()
      .optional()
      .meta({ description: 'For authorization_code: the redirect_uri of the authorization request' }),
    code_verifier: z.string().optional().meta({
      description:
        'For authorization_code: the PKCE code verifier of the authorization request, 43 to 128 characters',
    }),
    refresh_token: z
      .string()
      .optional()
      .meta({ description: 'For refresh_token: the latest refresh token of the grant' }),
  })
  .meta({
    id: 'TokenRequest',
    example: {
      grant_type: 'client_credentials',
      client_id: 'cli_…',
      client_secret: 'the secret of the client',
      scope: 'ingest:write read:reporting',
    },
  });

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    scope: z.string().meta({ description: 'Space-separated' }),
    refresh_token: z.string().optional().meta({
      description:
        'Present for the grant of a user if the client has the grant type refresh_token. Replaces the previous refresh token',
    }),
  })
  .meta({ id: 'TokenResponse' });
export type TokenResponse = z.infer<typeof TokenResponse>;

const FORM_BYTES_MAXIMUM = 16 * 1_024;

export const issueToken = route({
  method: 'POST',
  path: '/v1/oauth/token',
  operation: 'issueToken',
  authority: { effect: 'authentication', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'oauth',
  summary: 'Get an access token (RFC 6749): client_credentials, authorization_code or refresh_token',
  description:
    'The client authenticates in the form or with HTTP Basic, never both. A public client sends only its client_id. An access token is valid for 15 minutes. An authorization code works once; a second use revokes the grant. A refresh token works once and is replaced by the one in the response; the use of an older one revokes the grant. A grant expires 30 days after the sign-in and cannot be extended. Error responses are problems with the additional RFC 6749 members error and error_description. The values of error are invalid_request, invalid_client, invalid_grant, invalid_scope, unauthorized_client and unsupported_grant_type.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: ['access.read', 'tenants.read', 'grants.write', 'signing.sign', 'audit.append'],
  body: { kind: 'form', schema: TokenRequest, accepts: z.string(), maxBytes: FORM_BYTES_MAXIMUM },
  replies: { 200: { description: 'A short-lived Bearer token', body: TokenResponse } },
});

export const RevocationRequest = z
  .object({
    token: z.string().meta({ description: 'A refresh token or an access token' }),
    token_type_hint: z
      .string()
      .optional()
      .meta({ description: 'Ignored: the service recognises the type of a token' }),
    ...clientMembers,
  })
  .meta({
    id: 'RevocationRequest',
    example: {
      token: 'an access token or a refresh token',
      client_id: 'cli_…',
      client_secret: 'the secret of the client',
    },
  });

export const revokeToken = route({
  method: 'POST',
  path: '/v1/oauth/revoke',
  operation: 'revokeToken',
  authority: { effect: 'authentication', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'oauth',
  summary: 'Revoke a token with immediate effect (RFC 7009)',
  description:
    'The client authenticates as at the token endpoint. Revoking a token that acts for a user revokes the whole grant with all its access and refresh tokens. A token that is unknown, expired or of another client returns 200 and changes nothing.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: ['access.read', 'tenants.read', 'grants.write', 'signing.verify', 'audit.append'],
  body: { kind: 'form', schema: RevocationRequest, accepts: z.string(), maxBytes: FORM_BYTES_MAXIMUM },
  replies: {
    200: { description: 'The token is invalid', body: z.object({}).meta({ id: 'Revoked' }) },
  },
});

/** Authorization server metadata (RFC 8414). */
export const Discovery = z
  .object({
    issuer: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    revocation_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.enum(scopeNames)),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(GrantType),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(ClientAuthentication),
    revocation_endpoint_auth_methods_supported: z.array(ClientAuthentication),
    authorization_response_iss_parameter_supported: z.boolean(),
    service_documentation: z.url(),
  })
  .meta({ id: 'AuthorizationServerMetadata' });

export const getDiscovery = route({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  operation: 'getDiscovery',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'oauth',
  summary: 'Authorization server metadata (RFC 8414)',
  description: 'The endpoints, grant types and scopes of the authorization server, for OAuth libraries.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: { 200: { description: 'The metadata document', body: Discovery } },
});

export const Jwks = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'Jwks' });
export type Jwks = z.infer<typeof Jwks>;

export const getJwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  operation: 'getJwks',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'oauth',
  summary: 'Public keys that verify access tokens (RFC 7517)',
  description:
    'A new key is listed before it signs, and an old key for as long as its tokens are valid. Select the key by kid.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: ['signing.verify'],
  replies: { 200: { description: 'The key set', body: Jwks } },
});
