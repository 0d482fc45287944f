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
import { Scope } from '../../identity/scopes.ts';
import { pageOf } from '../../page.ts';
import { oneTimeSecret, Timestamp } from '../../values.ts';
import { route } from '../route.ts';

const ApiKeyRequest = z
  .strictObject({
    name: CredentialName,
    scopes: CredentialScopes,
    expires_at: Timestamp.optional().meta({
      description: 'Limited by the key lifetime policy of the tenant. Default: the latest allowed time',
    }),
    residency: CredentialResidency,
  })
  .meta({ id: 'ApiKeyRequest', example: { name: 'Checkout gateway', scopes: ['ingest:write'] } });

const ApiKeyRotation = RotationRequest.extend({
  expires_at: Timestamp.optional().meta({
    description:
      'Limited by the key lifetime policy of the tenant. Default: the present expires_at, or the latest allowed time if that is earlier',
  }),
}).meta({ id: 'ApiKeyRotation', example: { overlap_seconds: 3_600 } });

export const ApiKeyRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    residency: z.string().nullable(),
    state: z.enum(['active', 'rotating', 'revoked', 'expired']),
    created_by: z.string(),
    created_at: z.iso.datetime(),
    rotated_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    previous_secret_valid_until: z.iso.datetime().nullable(),
    last_used_at: LastUsedAt,
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

const ApiKeyWithSecret = ApiKeyRecord.extend(
  oneTimeSecret('secret', 'The API key. It cannot be read again.'),
).meta({ id: 'ApiKeyWithSecret' });

export const createApiKey = route({
  method: 'POST',
  path: '/api/v1/api-keys',
  operation: 'createApiKey',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Create an API key',
  description:
    'Only this response contains the secret. A retry with the same Idempotency-Key and credential returns it again for 24 hours. A key cannot have scopes that its creator lacks.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write'],
  body: {
    kind: 'json',
    schema: ApiKeyRequest,
    accepts: ApiKeyRequest.extend(uncheckedScopes),
    maxBytes: CREDENTIAL_BYTES_MAXIMUM,
  },
  audit: 'api_key.create',
  refuses: ['NO_SCOPE'],
  replies: { 201: { description: 'The key with its secret', body: ApiKeyWithSecret, secret: 'secret' } },
});

export const listApiKeys = route({
  method: 'GET',
  path: '/api/v1/api-keys',
  operation: 'listApiKeys',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'List API keys, newest first',
  description: 'Revoked and expired keys are listed too. No response contains a secret.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.list', 'limits.usage', 'cursor.derive'],
  query: CredentialListQuery,
  replies: {
    200: { description: 'A page of keys, without secrets', body: pageOf(ApiKeyRecord, 'ApiKeyPage') },
  },
});

export const getApiKey = route({
  method: 'GET',
  path: '/api/v1/api-keys/{id}',
  operation: 'getApiKey',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'credentials',
  summary: 'Read one API key',
  description: 'The state, the scopes and the last use of the key. The secret cannot be read again.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['access.read', 'limits.usage'],
  ids: { id: 'key' },
  replies: { 200: { description: 'The key, without its secret', body: ApiKeyRecord } },
});

export const rotateApiKey = route({
  method: 'POST',
  path: '/api/v1/api-keys/{id}/rotate',
  operation: 'rotateApiKey',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Replace the secret of an API key',
  description: `Id, name, scopes and lane do not change, nor does expires_at unless the body sets it. An expired key cannot be rotated. With an overlap the old secret stays valid for that time. Emits apikey.rotated. ${ROTATION_RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write', 'outbox.append'],
  ids: { id: 'key' },
  body: { kind: 'json', schema: ApiKeyRotation, optional: true, maxBytes: CREDENTIAL_BYTES_MAXIMUM },
  audit: 'api_key.rotate',
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The key with its new secret', body: ApiKeyWithSecret, secret: 'secret' } },
});

export const revokeApiKey = route({
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  operation: 'revokeApiKey',
  authority: { effect: 'credentials', reveals: [], lanes: 'own' },
  unit: 'credentials',
  summary: 'Revoke an API key with immediate effect',
  description: `The key remains in the list with state revoked. Revoking it again changes nothing. ${ENDING_RIGHTS}`,
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['access.write'],
  ids: { id: 'key' },
  audit: 'api_key.revoke',
  replies: { 204: { description: 'The key is revoked' } },
});
