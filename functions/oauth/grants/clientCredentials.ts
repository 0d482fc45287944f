import { requestedScopes } from '../requestedScopes.ts';
import { tokenError } from '../token/tokenRequest.ts';
import type { PendingTokenResponse, TokenRequest } from './pendingTokenResponse.ts';

/** A client that acts for itself (RFC 6749 §4.4). */
export const clientCredentialsGrant = async ({
  form,
  client,
}: TokenRequest): Promise<PendingTokenResponse> => {
  const scopes = requestedScopes(form.get('scope'), client.scopes);
  if (scopes === null) throw tokenError('invalid_scope', 'The client may not have every scope it asks for.');
  return {
    content: { tenantId: client.tenant_id, clientId: client.client_id, scopes },
    commit: async () => undefined,
  };
};
