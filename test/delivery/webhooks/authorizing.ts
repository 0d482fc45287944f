import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import type { OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import { credentialWriter } from '../../../functions/identity/access/principals/credential.store.ts';
import type { User } from '../../../functions/identity/access/principals/user.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Authorization } from '../../../functions/platform/tenancy/authorization.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';

export const ALL_SCOPES: readonly Scope[] = scopeNames;
const AT = '2026-01-01T00:00:00.000Z';
const ULID = '01KA3Z5V7JQ2M6X9R8T4B1C0DE';

export const keyIdOf = ({ tag }: Pick<Tenant, 'tag'>): string => `key_${tag}${ULID}`;
const clientIdOf = ({ tag }: Pick<Tenant, 'tag'>): string => `cli_${tag}${ULID}`;
const EMAIL = 'ann@acme.example';

/** An endpoint authorization by the tenant's API key. */
export const authorizationOf = (tenant: Pick<Tenant, 'tag'>): Authorization => ({
  kind: 'api_key',
  id: keyIdOf(tenant),
  scopes: [...ALL_SCOPES],
  at: AT,
});

/** An endpoint authorization by the tenant's OAuth client. */
export const byClient = (tenant: Pick<Tenant, 'tag'>): Authorization => ({
  kind: 'oauth_client',
  id: clientIdOf(tenant),
  scopes: [...ALL_SCOPES],
  at: AT,
});

/** An endpoint authorization by a user. */
export const byUser: Authorization = {
  kind: 'user',
  id: 'usr_1',
  email: EMAIL,
  scopes: [...ALL_SCOPES],
  at: AT,
};

const by = () => ({ claim: randomUUID(), attempt: 1 });

/** Stores the tenant's API key, or replaces it. */
export const storeKey = async (tenant: Tenant, members: Partial<ApiKey> = {}): Promise<void> => {
  const key: ApiKey = {
    key_id: keyIdOf(tenant),
    tenant_id: tenant.tenant_id,
    name: 'Hooks',
    scopes: [...ALL_SCOPES],
    residency: null,
    secrets: { current: { salt: '', hash: '' }, previous: null },
    created_by: 'operator',
    created_at: AT,
    rotated_at: null,
    expires_at: '2027-01-01T00:00:00.000Z',
    revoked_at: null,
    ...members,
  };
  const store = credentialWriter('access');
  const expected = (await store.apiKey(key.key_id))?.revision ?? null;
  await commit(store.putApiKey(key, { expectedRevision: expected, by: by() }));
};

/** Stores the tenant's OAuth client, or replaces it. */
export const storeClient = async (tenant: Tenant, members: Partial<OAuthClient> = {}): Promise<void> => {
  const client: OAuthClient = {
    client_id: clientIdOf(tenant),
    tenant_id: tenant.tenant_id,
    name: 'Hooks',
    scopes: [...ALL_SCOPES],
    residency: null,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    secrets: null,
    created_by: 'operator',
    created_at: AT,
    deleted_at: null,
    ...members,
  };
  const store = credentialWriter('access');
  const expected = (await store.client(client.client_id))?.revision ?? null;
  await commit(store.putClient(client, { expectedRevision: expected, by: by() }));
};

/** Stores a user of the tenant, or replaces the user with the same address. */
export const storeUser = async (tenant: Tenant, members: Partial<User> = {}): Promise<void> => {
  const user: User = {
    user_id: 'usr_1',
    tenant_id: tenant.tenant_id,
    email: EMAIL,
    role: 'admin',
    created_at: AT,
    removed_at: null,
    ...members,
  };
  const store = credentialWriter('access');
  const expected = (await store.user(tenant.tag, user.email))?.revision ?? null;
  await commit([store.putUser(tenant.tag, user, { expectedRevision: expected, by: by() })]);
};
