import { issueToken, type TokenResponse } from '../../schemas/routes/access.ts';
import { Scope } from '../../schemas/scopes.ts';
import { operation } from '../http/operation.ts';
import { unavailable } from '../http/problem.ts';
import { reply } from '../http/reply.ts';
import { settings } from '../shared/settings.ts';
import { issueAccessToken, TOKEN_LIFETIME_SECONDS } from './accessToken.ts';
import { secretMatches } from './apiKey.ts';
import { isClientId } from './client.ts';
import { readClientCredentials, readForm, tokenError } from './tokenRequest.ts';

/** The scopes asked for, or all the client has; more than it has is refused, never trimmed in silence. */
const grantedScopes = (asked: string | undefined, held: readonly Scope[]): Scope[] => {
  const names = (asked ?? '').split(' ').filter((name) => name !== '');
  if (names.length === 0) return [...held];
  return [...new Set(names)].map((name) => {
    const scope = Scope.safeParse(name).data;
    if (scope === undefined || !held.includes(scope)) {
      throw tokenError('invalid_scope', 'The client may not have every scope it asks for.');
    }
    return scope;
  });
};

export default operation(issueToken, async ({ body, header, receivedAt, requestId, stores }) => {
  const form = readForm(body);
  const { clientId, clientSecret } = readClientCredentials(form, header('authorization'));
  const { credentials, tenants, signer } = stores;
  const outage = (error: unknown): never => {
    throw unavailable(error);
  };
  const client = isClientId(clientId) ? await credentials.client(clientId).catch(outage) : null;
  const tenant = client === null ? null : await tenants.tenant(client.tenant_id).catch(outage);
  if (!secretMatches(client, clientSecret) || client === null || tenant === null) {
    throw tokenError('invalid_client', 'The client credentials are not valid.');
  }
  if (form.get('grant_type') !== 'client_credentials') {
    throw form.has('grant_type')
      ? tokenError('unsupported_grant_type', 'Only client_credentials is offered.')
      : tokenError('invalid_request', 'grant_type is required.');
  }
  const scopes = grantedScopes(form.get('scope'), client.scopes);
  const token = await issueAccessToken(
    { tenantId: client.tenant_id, clientId, scopes },
    { issuer: settings.BASE_URL, now: receivedAt, jti: requestId, signer },
  ).catch(outage);
  const response: TokenResponse = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: scopes.join(' '),
  };
  return reply(200, response, { pragma: 'no-cache' });
});
