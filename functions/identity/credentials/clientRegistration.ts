import type { OAuthClientRequest } from '../../../schemas/routes/identity/oauthClients.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { ClientRegistration } from './issueCredential.ts';

type Flows = Pick<ClientRegistration, 'grantTypes' | 'redirectUris' | 'authentication'>;

const refuse = (pointer: string, detail: string): never => {
  throw new ProblemError('VALIDATION_FAILED', 'The members of the client are not consistent.', {
    errors: [{ pointer, detail }],
  });
};

/**
 * The OAuth settings of a new client, with defaults for omitted members. Throws VALIDATION_FAILED for a combination that
 * cannot work, or that would let anyone act as the client.
 */
export const validateRegistration = (
  request: Pick<OAuthClientRequest, 'grant_types' | 'redirect_uris' | 'token_endpoint_auth_method'>,
): Flows => {
  const redirectUris = [...new Set(request.redirect_uris ?? [])];
  const authentication = request.token_endpoint_auth_method ?? 'client_secret_basic';
  const defaultGrantTypes: Flows['grantTypes'] =
    redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : ['client_credentials'];
  const grantTypes = [...new Set(request.grant_types ?? defaultGrantTypes)];
  const signsUsersIn = grantTypes.includes('authorization_code');

  if (authentication === 'none' && grantTypes.includes('client_credentials')) {
    refuse('/grant_types', 'a public client cannot have client_credentials');
  }
  if (signsUsersIn && redirectUris.length === 0) {
    refuse('/redirect_uris', 'authorization_code needs at least one redirect URI');
  }
  if (!signsUsersIn && redirectUris.length > 0) {
    refuse('/redirect_uris', 'redirect URIs are only used by authorization_code');
  }
  if (!signsUsersIn && grantTypes.includes('refresh_token')) {
    refuse('/grant_types', 'refresh_token needs authorization_code');
  }
  return { grantTypes, redirectUris, authentication };
};
