import { hashSecret, newSecret } from '../../access/secret.ts';
import { commit } from '../../shared/aws/document.store.ts';
import { judgeCode } from '../redemption.ts';
import { refreshTokenText } from '../refreshToken.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { required, tokenError } from '../token/tokenRequest.ts';
import { contentOf, delegatedBy } from './delegated.ts';
import type { Offer, TokenCall } from './offer.ts';

const refused = () => tokenError('invalid_grant', 'The code is not valid.');

/**
 * A client that was given a code for a user's grant (RFC 6749 §4.1.3, RFC 7636 §4.5).
 *
 * The code is marked used and its grant written in one transaction, so of requests at the same time one gets tokens.
 * Every other one shows that the code is in two hands: it ends the grant, whose tokens are then worth nothing (§4.1.2).
 */
export const authorizationCode = async (request: TokenCall): Promise<Offer> => {
  const { form, client, call, random, stores } = request;
  const code = required(form, 'code');
  const redemption = {
    clientId: client.client_id,
    redirectUri: required(form, 'redirect_uri'),
    codeVerifier: required(form, 'code_verifier'),
  };
  const found = await stores.grantWriter.code(code);
  const worth = judgeCode(found?.document ?? null, redemption, call.receivedAt);
  if (found === null || worth === 'worthless') throw refused();
  const { document, revision } = found;
  const revoke = () => revokeGrant(document.grant.grant_id, 'token.reuse', call, stores);
  if (worth === 'replayed') {
    await revoke();
    throw refused();
  }
  const scopes = await delegatedBy(document.grant, client, stores.credentials);
  const secret = client.grant_types.includes('refresh_token') ? newSecret(random) : null;
  const grant = { ...document.grant, refresh: secret === null ? null : hashSecret(secret, random) };
  const by = { claim: call.requestId, attempt: 1 };
  return {
    content: contentOf(grant, scopes),
    ...(secret !== null && { refreshToken: refreshTokenText(grant.grant_id, secret) }),
    settle: async () => {
      const isFirst = await commit([
        stores.grantWriter.putCode(code, { ...document, used: true }, { seen: revision, by }),
        stores.grantWriter.putGrant(grant, { seen: null, by }),
      ]);
      if (isFirst) return;
      await revoke();
      throw refused();
    },
  };
};
