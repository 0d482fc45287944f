import type { OAuthClientRequest } from '../../schemas/routes/oauthClients.ts';
import { ProblemError } from '../shared/problem.ts';
import type { ClientRegistration } from './issueCredential.ts';

type Flows = Pick<ClientRegistration, 'grantTypes' | 'redirectUris' | 'authentication'>;

const refuse = (pointer: string, detail: string): never => {
  throw new ProblemError('VALIDATION_FAILED', 'The members of the client contradict each other.', {
    errors: [{ pointer, detail }],
  });
};

/**
 * What a client may do at the OAuth endpoints, with defaults where the request is silent. Throws VALIDATION_FAILED for
 * a combination that could never work, or that would let anybody act as the client.
 */
export const validateRegistration = (
  request: Pick<OAuthClientRequest, 'grant_types' | 'redirect_uris' | 'token_endpoint_auth_method'>,
): Flows => {
  const redirectUris = [...new Set(request.redirect_uris ?? [])];
  const authentication = request.token_endpoint_auth_method ?? 'client_secret_basic';
  const byDefault: Flows['grantTypes'] =
    redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : ['client_credentials'];
  const grantTypes = [...new Set(request.grant_types ?? byDefault)];
  const signsUsersIn = grantTypes.includes('authorization_code');

  if (authentication === 'none' && grantTypes.includes('client_credentials')) {
    refuse('/grant_types', 'a public client cannot have client_credentials');
  }
  if (signsUsersIn && redirectUris.length === 0) {
    refuse('/redirect_uris', 'authorization_code needs at least one');
  }
  if (!signsUsersIn && redirectUris.length > 0) {
    refuse('/redirect_uris', 'only authorization_code uses them');
  }
  if (!signsUsersIn && grantTypes.includes('refresh_token')) {
    refuse('/grant_types', 'refresh_token needs authorization_code');
  }
  return { grantTypes, redirectUris, authentication };
};
