import type { Scope } from '../../../schemas/identity/scopes.ts';
import { CONNECTOR_LAYER, type OAuthClientRequest } from '../../../schemas/routes/identity/oauthClients.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { OAuthClient } from '../access/principals/client.ts';

const CONNECTOR: Scope = 'partner:connector';

/** What a tenant registers about the connector of a partner, as stored. */
export type ConnectorRegistration = Required<
  Pick<OAuthClient, 'source_systems' | 'ingestion_layer' | 'fills_other_sources'>
>;

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
 * What makes a client a connector. Such a client has no other scope and acts for nobody, so that a partner can do nothing else.
 * Throws VALIDATION_FAILED.
 */
export const validateConnector = (
  request: Omit<OAuthClientRequest, 'name' | 'residency'>,
): { readonly connector?: ConnectorRegistration } => {
  const { scopes, source_systems: systems } = request;
  if (systems === undefined) {
    requireNoConnector(scopes);
    for (const member of ['ingestion_layer', 'fills_other_sources'] as const) {
      if (request[member] !== undefined) refuse(`/${member}`, 'is for a client with source_systems');
    }
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
  return {
    connector: {
      source_systems: [...new Set(systems)],
      ingestion_layer: request.ingestion_layer ?? CONNECTOR_LAYER,
      fills_other_sources: request.fills_other_sources ?? false,
    },
  };
};
