import type * as z from 'zod';
import { clientAuthentications, grantTypes } from '../../../schemas/identity/oauthClient.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { type Discovery, getDiscovery } from '../../../schemas/routes/identity/access.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { settings } from '../../platform/shared/settings.ts';

export default operation(getDiscovery, () => {
  const issuer = settings.BASE_URL;
  const metadata: z.infer<typeof Discovery> = {
    issuer,
    authorization_endpoint: `${issuer}/v1/oauth/authorize`,
    token_endpoint: `${issuer}/v1/oauth/token`,
    revocation_endpoint: `${issuer}/v1/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: scopeNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...clientAuthentications],
    revocation_endpoint_auth_methods_supported: [...clientAuthentications],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/openapi.json`,
  };
  return reply(200, metadata, { 'cache-control': 'public, max-age=300' });
});
