import { isClientId, type OAuthClient } from '../../access/client.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import type { TenantReader } from '../../tenancy/tenant.store.ts';
import { isAuthentic, readClientCredentials } from './clientAuthentication.ts';
import { type Form, tokenError } from './tokenRequest.ts';

/**
 * The client that calls an OAuth endpoint at `now` (epoch milliseconds), which has proved itself.
 * Throws invalid_client, the same for every cause but a request that names no client.
 */
export const authenticateClient = async (
  form: Form,
  authorization: string | undefined,
  now: number,
  stores: {
    readonly credentials: Pick<CredentialReader, 'client'>;
    readonly tenants: Pick<TenantReader, 'tenant'>;
  },
): Promise<OAuthClient> => {
  const presented = readClientCredentials(form, authorization);
  const { clientId } = presented;
  const client = isClientId(clientId) ? await stores.credentials.client(clientId) : null;
  const tenant = client === null ? null : await stores.tenants.tenant(client.tenant_id);
  if (!isAuthentic(client, presented, now) || tenant === null) {
    throw tokenError('invalid_client', 'The client credentials are not valid.');
  }
  return client;
};
