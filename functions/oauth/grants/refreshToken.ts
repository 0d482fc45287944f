import { hashSecret, newSecret } from '../../access/secret.ts';
import { commit } from '../../shared/aws/document.store.ts';
import { askedScopes } from '../askedScopes.ts';
import { judgeRefreshToken, parseRefreshToken, refreshTokenText } from '../refreshToken.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { required, tokenError } from '../token/tokenRequest.ts';
import { contentOf, delegatedBy } from './delegated.ts';
import type { Offer, TokenCall } from './offer.ts';

const refused = () => tokenError('invalid_grant', 'The refresh token is not valid.');

/**
 * A client that renews its access to a user's grant (RFC 6749 §6). The scope may be narrowed for one access token; the
 * grant keeps its own. The refresh token is replaced where nobody has replaced it since it was read; the loser of two
 * requests at the same time has used an old one, and an old one ends the grant.
 */
export const refreshToken = async ({ form, client, call, random, stores }: TokenCall): Promise<Offer> => {
  const parsed = parseRefreshToken(required(form, 'refresh_token'));
  const found = parsed === null ? null : await stores.grantWriter.grant(parsed.grantId);
  if (parsed === null || found === null) throw refused();
  const { document: grant, revision } = found;
  const revoke = () => revokeGrant(grant.grant_id, 'token.reuse', call, stores);
  const presented = { clientId: client.client_id, secret: parsed.secret };
  switch (judgeRefreshToken(grant, presented, call.receivedAt)) {
    case 'worthless':
      throw refused();
    case 'reused':
      await revoke();
      throw refused();
  }
  const scopes = askedScopes(form.get('scope'), await delegatedBy(grant, client, stores.credentials));
  if (scopes === null) throw tokenError('invalid_scope', 'The grant does not cover every scope asked for.');
  const secret = newSecret(random);
  const by = { claim: call.requestId, attempt: 1 };
  return {
    content: contentOf(grant, scopes),
    refreshToken: refreshTokenText(grant.grant_id, secret),
    settle: async () => {
      const renewed = { ...grant, refresh: hashSecret(secret, random) };
      if (await commit([stores.grantWriter.putGrant(renewed, { seen: revision, by })])) return;
      await revoke();
      throw refused();
    },
  };
};
