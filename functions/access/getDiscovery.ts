import { getDiscovery } from '../../schemas/routes/access.ts';
import { scopeNames } from '../../schemas/scopes.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { settings } from '../shared/settings.ts';

export default operation(getDiscovery, () => {
  const issuer = settings.BASE_URL;
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/v1/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: scopeNames,
    // Required by RFC 8414 even where no grant uses the authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${issuer}/openapi.json`,
  };
  return reply(200, metadata, { 'cache-control': 'public, max-age=300' });
});
