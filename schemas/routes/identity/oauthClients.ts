import * as z from 'zod';
import {
  CREDENTIAL_BYTES_MAXIMUM,
  CredentialListQuery,
  CredentialName,
  CredentialResidency,
  CredentialScopes,
  ENDING_RIGHTS,
  ROTATION_RIGHTS,
  RotationRequest,
  uncheckedScopes,
} from '../../identity/credential.ts';
import { LastUsedAt } from '../../identity/lastUsed.ts';
import { ClientAuthentication, GrantType, RedirectUri } from '../../identity/oauthClient.ts';
import { Scope } from '../../identity/scopes.ts';
import { pageOf } from '../../page.ts';
import { label, oneTimeSecret } from '../../values.ts';
import { route } from '../route.ts';

/** Values of source_system in events. */
const SourceSystems = z.array(label(128)).max(20);

/** The capture layer of a connector that is registered without one. */
export const CONNECTOR_LAYER = 'gateway';

const OAuthClientRequest = z
  .strictObject({
    name: CredentialName,
    scopes: CredentialScopes,
    grant_types: z.array(GrantType).min(1).max(3).optional().meta({
      description:
        'Default: client_credentials. With redirect_uris the default is authorization_code and refresh_token',
    }),
    redirect_uris: z
      .array(RedirectUri)
      .max(10)
      .optional()
      .meta({ description: 'Allowed redirect URIs. Required for authorization_code' }),
    token_endpoint_auth_method: ClientAuthentication.optional().meta({
      description:
        'Default: client_secret_basic, which also allows client_secret_post. none registers a public client',
    }),
    source_systems: SourceSystems.min(1).optional().meta({
      description:
        'Registers the connector of a partner, with the only scope partner:connector: it can send events of these source systems in its lane, and nothing else',
    }),
    ingestion_layer: label(64)
      .optional()
      .meta({
        description: `Capture layer of the connector. It replaces that of its events, and their pathway follows from it. Only with source_systems. Default: ${CONNECTOR_LAYER}`,
      }),
    fills_other_sources: z.boolean().optional().meta({
      description:
        'Whether the connector may fill empty parts of records of other source systems. It never replaces what a credential of the tenant stated. Only with source_systems. Default: false',
    }),
    residency: CredentialResidency,
  })
  .meta({ id: 'OAuthClientRequest', example: { name: 'Finance reports', scopes: ['read:reporting'] } });
export type OAuthClientRequest = z.infer<typeof OAuthClientRequest>;

export const OAuthClientRecord = z
  .object({
    client_id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    source_systems: SourceSystems,
    ingestion_layer: z
      .string()
      .nullable()
      .meta({ description: 'Capture layer of the events of a connector. Null for all other clients' }),
    fills_other_sources: z.boolean(),
    residency: z.string().nullable(),
    grant_types: z.array(GrantType),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: ClientAuthentication,
    created_by: z.string(),
    created_at: z.iso.datetime(),
    previous_secret_valid_until: z.iso.datetime().nullable(),
    last_used_at: LastUsedAt,
  })
  .meta({ id: 'OAuthClient' });
export type OAuthClientRecord = z.infer<typeof OAuthClientRecord>;

const OAuthClientWithSecret = OAuthClientRecord.extend(
  oneTimeSecret('client_secret', 'Cannot be read again. Null for a public client.'),
).meta({ id: 'OAuthClientWithSecret' });

export const createOAuthClient = route({
  method: 'POST',
  path: '/api/v1/oauth-clients',
  operation: 'createOAuthClient',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Register an OAuth client',
  description:
    'Member names follow RFC 7591. The scopes of a token are limited to those of the client. For a token that acts for a user, they are also limited to those of the user’s role.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write'],
  body: {
    kind: 'json',
    schema: OAuthClientRequest,
    accepts: OAuthClientRequest.extend(uncheckedScopes),
    maxBytes: CREDENTIAL_BYTES_MAXIMUM,
  },
  audit: 'oauth_client.create',
  refuses: ['NO_SCOPE'],
  replies: {
    201: { description: 'The client with its secret', body: OAuthClientWithSecret, secret: 'client_secret' },
  },
});

export const listOAuthClients = route({
  method: 'GET',
  path: '/api/v1/oauth-clients',
  operation: 'listOAuthClients',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'List OAuth clients, newest first',
  description: 'Deleted clients are not listed. No response contains a secret.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.list', 'limits.usage', 'cursor.derive'],
  query: CredentialListQuery,
  replies: {
    200: {
      description: 'A page of clients, without secrets',
      body: pageOf(OAuthClientRecord, 'OAuthClientPage'),
    },
  },
});

export const getOAuthClient = route({
  method: 'GET',
  path: '/api/v1/oauth-clients/{id}',
  operation: 'getOAuthClient',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'Read one OAuth client',
  description: 'The grant types, the scopes and the last use of the client. The secret cannot be read again.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.read', 'limits.usage'],
  ids: { id: 'cli' },
  replies: { 200: { description: 'The client, without its secret', body: OAuthClientRecord } },
});

export const rotateOAuthClient = route({
  method: 'POST',
  path: '/api/v1/oauth-clients/{id}/rotate',
  operation: 'rotateOAuthClient',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Replace the secret of an OAuth client',
  description: `CONFLICT for a public client, which has no secret. ${ROTATION_RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write'],
  ids: { id: 'cli' },
  body: { kind: 'json', schema: RotationRequest, optional: true, maxBytes: CREDENTIAL_BYTES_MAXIMUM },
  audit: 'oauth_client.rotate',
  refuses: ['CONFLICT'],
  replies: {
    200: {
      description: 'The client with its new secret',
      body: OAuthClientWithSecret,
      secret: 'client_secret',
    },
  },
});

export const deleteOAuthClient = route({
  method: 'DELETE',
  path: '/api/v1/oauth-clients/{id}',
  operation: 'deleteOAuthClient',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Delete an OAuth client and invalidate its tokens',
  description: ENDING_RIGHTS,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write'],
  ids: { id: 'cli' },
  audit: 'oauth_client.delete',
  replies: { 204: { description: 'The client is deleted' } },
});
