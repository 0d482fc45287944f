import { commit } from '../../../platform/shared/aws/document.store.ts';
import { newSecret } from '../../access/principals/secret.ts';
import { formatRefreshToken, hashRefreshSecret } from '../refreshToken.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { requireParameter, tokenError } from '../token/tokenRequest.ts';
import { validateAuthorizationCode } from '../validateAuthorizationCode.ts';
import { requireDelegatedScopes, toTokenContent } from './delegatedToken.ts';
import type { PendingTokenResponse, TokenRequest } from './pendingTokenResponse.ts';

const invalidGrant = () =>
  tokenError('invalid_grant', 'The authorization code is not valid. Start a new sign-in.', {
    parameter: 'code',
  });

/**
 * The authorization_code grant type (RFC 6749 §4.1.3, RFC 7636 §4.5). Throws invalid_grant or invalid_request.
 *
 * One transaction marks the code as used and writes its grant, so only one of several concurrent requests gets tokens.
 * A second use means that the code has leaked. It revokes the grant and all of its tokens (§4.1.2).
 */
export const authorizationCodeGrant = async (request: TokenRequest): Promise<PendingTokenResponse> => {
  const { form, client, call, random, stores } = request;
  const code = requireParameter(form, 'code');
  const redemption = {
    clientId: client.client_id,
    redirectUri: requireParameter(form, 'redirect_uri'),
    codeVerifier: requireParameter(form, 'code_verifier'),
  };
  const stored = await stores.grantWriter.code(code);
  const validity = validateAuthorizationCode(stored?.document ?? null, redemption, call.receivedAt);
  if (stored === null || validity === 'invalid') throw invalidGrant();
  const { document, revision } = stored;
  const revoke = () => revokeGrant(document.grant.grant_id, 'token.reuse', call, stores);
  if (validity === 'replayed') {
    await revoke();
    throw invalidGrant();
  }
  const scopes = await requireDelegatedScopes(document.grant, client, stores.credentials);
  const secret = client.grant_types.includes('refresh_token') ? newSecret(random) : null;
  const grant = { ...document.grant, refresh: secret === null ? null : hashRefreshSecret(secret, random) };
  const by = { claim: call.requestId, attempt: 1 };
  return {
    content: toTokenContent(grant, scopes),
    ...(secret !== null && { refreshToken: formatRefreshToken(grant.grant_id, secret) }),
    commit: async () => {
      const isFirst = await commit([
        stores.grantWriter.putCode(code, { ...document, used: true }, { expectedRevision: revision, by }),
        stores.grantWriter.putGrant(grant, { expectedRevision: null, by }),
      ]);
      if (isFirst) return;
      await revoke();
      throw invalidGrant();
    },
  };
};
