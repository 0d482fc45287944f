import { askedScopes } from '../askedScopes.ts';
import { tokenError } from '../token/tokenRequest.ts';
import type { Offer, TokenCall } from './offer.ts';

/** A client that acts for itself (RFC 6749 §4.4). */
export const clientCredentials = async ({ form, client }: TokenCall): Promise<Offer> => {
  const scopes = askedScopes(form.get('scope'), client.scopes);
  if (scopes === null) throw tokenError('invalid_scope', 'The client may not have every scope it asks for.');
  return {
    content: { tenantId: client.tenant_id, clientId: client.client_id, scopes },
    settle: async () => undefined,
  };
};
