import * as z from 'zod';
import { scopeNames } from '../scopes.ts';
import { route } from './route.ts';

export const TokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    scope: z.string().optional().meta({ description: 'Space-separated; default all scopes of the client' }),
  })
  .meta({ id: 'TokenRequest' });

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    scope: z.string().meta({ description: 'Space-separated' }),
  })
  .meta({ id: 'TokenResponse' });
export type TokenResponse = z.infer<typeof TokenResponse>;

export const issueToken = route({
  method: 'POST',
  path: '/v1/oauth/token',
  operation: 'issueToken',
  unit: 'access',
  summary: 'Exchange client credentials for an access token (RFC 6749)',
  description:
    'The client authenticates in the form or by HTTP Basic, never both. Failures are problems that also carry the RFC 6749 members error and error_description.',
  access: 'public',
  rate: 'none',
  needs: ['access.read', 'tenants.read', 'signing.sign'],
  body: { kind: 'form', schema: TokenRequest, accepts: z.string(), maxBytes: 16 * 1_024 },
  replies: { 200: { description: 'A short-lived Bearer token', body: TokenResponse } },
});

/** Authorization server metadata (RFC 8414). */
export const Discovery = z
  .object({
    issuer: z.url(),
    token_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.enum(scopeNames)),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    service_documentation: z.url(),
  })
  .meta({ id: 'AuthorizationServerMetadata' });

export const getDiscovery = route({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  operation: 'getDiscovery',
  unit: 'access',
  summary: 'Authorization server metadata (RFC 8414)',
  access: 'public',
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
  unit: 'access',
  summary: 'Public keys that verify access tokens (RFC 7517)',
  access: 'public',
  rate: 'none',
  needs: ['signing.verify'],
  replies: { 200: { description: 'The key set', body: Jwks } },
});
