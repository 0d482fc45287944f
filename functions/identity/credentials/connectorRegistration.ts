import type { Scope } from '../../../schemas/access/scopes.ts';
import type { OAuthClientRequest } from '../../../schemas/routes/identity/oauthClients.ts';
import { ProblemError } from '../../platform/shared/problem.ts';

const CONNECTOR: Scope = 'partner:connector';

const refuse = (pointer: string, detail: string): never => {
  throw new ProblemError('VALIDATION_FAILED', 'The members of the credential are not consistent.', {
    errors: [{ pointer, detail }],
  });
};

/** The scopes of an API key. Throws VALIDATION_FAILED for that of a connector, which needs source systems. */
export const requireNoConnector = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.includes(CONNECTOR)
    ? refuse('/scopes', `${CONNECTOR} is for OAuth clients with source_systems`)
    : scopes;

/**
 * The source systems of a client. A connector has no other scope and acts for nobody, so that a partner can do nothing else.
 * Throws VALIDATION_FAILED.
 */
export const validateConnector = (
  request: Omit<OAuthClientRequest, 'name' | 'residency'>,
): { readonly sourceSystems?: readonly string[] } => {
  const { scopes, source_systems: systems } = request;
  if (systems === undefined) {
    requireNoConnector(scopes);
    return {};
  }
  if (scopes.length === 0 || scopes.some((scope) => scope !== CONNECTOR)) {
    refuse('/scopes', `must be only ${CONNECTOR} for a client with source_systems`);
  }
  const { grant_types: grants = ['client_credentials'], token_endpoint_auth_method: method } = request;
  if (request.redirect_uris !== undefined || grants.some((grant) => grant !== 'client_credentials')) {
    refuse('/grant_types', 'a connector has only client_credentials');
  }
  if (method === 'none') refuse('/token_endpoint_auth_method', 'a connector has a secret');
  return { sourceSystems: [...new Set(systems)] };
};
