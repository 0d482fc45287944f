import { randomBytes } from 'node:crypto';
import { GrantType } from '../../../../schemas/identity/oauthClient.ts';
import { issueToken, type TokenResponse } from '../../../../schemas/routes/identity/access.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { settings } from '../../../platform/shared/settings.ts';
import type { OAuthClient } from '../../access/principals/client.ts';
import { issueAccessToken, TOKEN_LIFETIME_SECONDS } from '../../access/tokens/accessToken.ts';
import { authorizationCodeGrant } from '../grants/authorizationCode.ts';
import { clientCredentialsGrant } from '../grants/clientCredentials.ts';
import type { PendingTokenResponse, TokenRequest } from '../grants/pendingTokenResponse.ts';
import { refreshTokenGrant } from '../grants/refreshToken.ts';
import { authenticateClient } from './authenticateClient.ts';
import { type Form, readForm, requireParameter, tokenError } from './tokenRequest.ts';

const grantHandlers: Readonly<Record<GrantType, (request: TokenRequest) => Promise<PendingTokenResponse>>> = {
  client_credentials: clientCredentialsGrant,
  authorization_code: authorizationCodeGrant,
  refresh_token: refreshTokenGrant,
};

/**
 * The requested grant type. Throws unsupported_grant_type, or unauthorized_client if the client is not registered for it.
 */
const requireGrantType = (form: Form, client: OAuthClient): GrantType => {
  const grantType = GrantType.safeParse(requireParameter(form, 'grant_type')).data;
  if (grantType === undefined)
    throw tokenError('unsupported_grant_type', 'The grant type is not supported.', {
      parameter: 'grant_type',
      allowed: GrantType.options,
    });
  if (client.grant_types.includes(grantType)) return grantType;
  throw tokenError('unauthorized_client', 'The client is not registered for this grant type.', {
    parameter: 'grant_type',
    allowed: client.grant_types,
  });
};

export default operation(issueToken, async ({ body, header, receivedAt, requestId, origin, stores }) => {
  const form = readForm(body);
  const client = await authenticateClient(form, header('authorization'), receivedAt, stores);
  const call = { requestId, receivedAt, origin };
  const pending = await grantHandlers[requireGrantType(form, client)]({
    form,
    client,
    call,
    random: randomBytes,
    stores,
  });
  const token = await issueAccessToken(pending.content, {
    issuer: settings.BASE_URL,
    now: receivedAt,
    jti: requestId,
    signer: stores.signer,
  });
  await pending.commit();
  const response: TokenResponse = {
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: pending.content.scopes.join(' '),
    ...(pending.refreshToken !== undefined && { refresh_token: pending.refreshToken }),
  };
  return reply(200, response, { pragma: 'no-cache' });
});
