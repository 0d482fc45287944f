import { authenticating } from '../../../platform/shared/time/invocationTime.ts';
import type { TenantReader } from '../../../platform/tenancy/tenant.store.ts';
import { isClientId, type OAuthClient } from '../../access/principals/client.ts';
import type { CredentialReader } from '../../access/principals/credential.store.ts';
import { isAuthentic, readClientCredentials } from './clientAuthentication.ts';
import { type Form, tokenError } from './tokenRequest.ts';

/**
 * Authenticates the client of an OAuth request at `now` (epoch milliseconds). Throws invalid_client with the same text for
 * every wrong credential, and invalid_request for two authentication methods.
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
  const [client, tenant] = await authenticating(async () => {
    const found = isClientId(clientId) ? await stores.credentials.client(clientId) : null;
    return [found, found === null ? null : await stores.tenants.tenant(found.tenant_id)] as const;
  });
  if (!isAuthentic(client, presented, now) || tenant === null) {
    throw tokenError('invalid_client', 'The client credentials are not valid.');
  }
  return client;
};
