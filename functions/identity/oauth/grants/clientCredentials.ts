import { requestedScopes, suggestedScope } from '../requestedScopes.ts';
import { tokenError } from '../token/tokenRequest.ts';
import type { PendingTokenResponse, TokenRequest } from './pendingTokenResponse.ts';

/** The client_credentials grant type: the client acts for itself (RFC 6749 §4.4). Throws invalid_scope. */
export const clientCredentialsGrant = async ({
  form,
  client,
}: TokenRequest): Promise<PendingTokenResponse> => {
  const scopes = requestedScopes(form.get('scope'), client.scopes);
  if (scopes === null)
    throw tokenError('invalid_scope', 'The request has a scope that the client is not registered for.', {
      parameter: 'scope',
      allowed: client.scopes,
      suggestion: suggestedScope(form.get('scope'), client.scopes),
    });
  return {
    content: { tenantId: client.tenant_id, clientId: client.client_id, scopes },
    commit: async () => undefined,
  };
};
