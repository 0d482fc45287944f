import { scopeNames } from '../../../../schemas/identity/scopes.ts';
import type { OAuthClient } from './client.ts';
import type { CredentialReader } from './credential.store.ts';

/** Not the form of a client id of a tenant, so no tenant can register it. */
export const CONSOLE_CLIENT_ID = 'console';

/** The web console, as the client of a tenant. It acts only for users, so their role alone limits its scopes. */
const consoleClientOf = (tenantId: string): OAuthClient => ({
  client_id: CONSOLE_CLIENT_ID,
  tenant_id: tenantId,
  name: 'Web console',
  scopes: scopeNames,
  residency: null,
  grant_types: ['authorization_code'],
  redirect_uris: [],
  token_endpoint_auth_method: 'none',
  secrets: null,
  created_by: 'operator',
  created_at: '1970-01-01T00:00:00.000Z',
  deleted_at: null,
});

/** The client of a token: the console, or a client that the tenant registered. */
export const findTokenClient = async (
  { clientId, tenantId }: { readonly clientId: string; readonly tenantId: string },
  { client }: Pick<CredentialReader, 'client'>,
): Promise<OAuthClient | null> =>
  clientId === CONSOLE_CLIENT_ID ? consoleClientOf(tenantId) : client(clientId);
