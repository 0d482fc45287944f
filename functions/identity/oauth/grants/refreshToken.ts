import { commit } from '../../../platform/shared/aws/document.store.ts';
import {
  formatRefreshToken,
  hashRefreshSecret,
  nextRefreshSecret,
  parseRefreshToken,
  validateRefreshToken,
} from '../refreshToken.ts';
import { requestedScopes, suggestedScope } from '../requestedScopes.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { requireParameter, tokenError } from '../token/tokenRequest.ts';
import { requireDelegatedScopes, toTokenContent } from './delegatedToken.ts';
import type { PendingTokenResponse, TokenRequest } from './pendingTokenResponse.ts';

const invalidGrant = () =>
  tokenError('invalid_grant', 'The refresh token is not valid. Start a new sign-in.', {
    parameter: 'refresh_token',
  });

/**
 * The refresh_token grant type (RFC 6749 §6). The request may narrow the scope of this access token; the grant keeps its
 * scopes. The refresh token is rotated with an optimistic lock. Of two concurrent requests, the second has used an old
 * token, and reuse of an old token revokes the grant. Throws invalid_grant, invalid_scope or invalid_request.
 */
export const refreshTokenGrant = async ({
  form,
  client,
  call,
  random,
  stores,
}: TokenRequest): Promise<PendingTokenResponse> => {
  const parsed = parseRefreshToken(requireParameter(form, 'refresh_token'));
  const stored = parsed === null ? null : await stores.grantWriter.grant(parsed.grantId);
  if (parsed === null || stored === null) throw invalidGrant();
  const { document: grant, revision } = stored;
  const revoke = () => revokeGrant(grant.grant_id, 'token.reuse', call, stores);
  const presented = { clientId: client.client_id, secret: parsed.secret };
  switch (validateRefreshToken(grant, presented, call.receivedAt)) {
    case 'invalid':
      throw invalidGrant();
    case 'reused':
      await revoke();
      throw invalidGrant();
  }
  const delegated = await requireDelegatedScopes(grant, client, stores.credentials);
  const scopes = requestedScopes(form.get('scope'), delegated);
  if (scopes === null)
    throw tokenError('invalid_scope', 'The request has a scope that the grant does not cover.', {
      parameter: 'scope',
      suggestion: suggestedScope(form.get('scope'), delegated),
    });
  const secret = nextRefreshSecret(parsed.secret, random);
  const by = { claim: call.requestId, attempt: 1 };
  return {
    content: toTokenContent(grant, scopes),
    refreshToken: formatRefreshToken(grant.grant_id, secret),
    commit: async () => {
      const renewed = { ...grant, refresh: hashRefreshSecret(secret, random) };
      if (await commit([stores.grantWriter.putGrant(renewed, { expectedRevision: revision, by })])) return;
      await revoke();
      throw invalidGrant();
    },
  };
};
