import { revokeToken } from '../../../../schemas/routes/identity/access.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import { settings } from '../../../platform/shared/settings.ts';
import type { StoresOf } from '../../../stores.ts';
import { type AccessToken, verifyAccessToken } from '../../access/tokens/accessToken.ts';
import { type CallInfo, createAuditContext } from '../../audit/auditContext.ts';
import { buildAuditEntry } from '../../audit/auditEntry.ts';
import { parseRefreshToken, validateRefreshToken } from '../refreshToken.ts';
import { revokeGrant } from '../revokeGrant.ts';
import { authenticateClient } from './authenticateClient.ts';
import { readForm, requireParameter } from './tokenRequest.ts';

type Stores = StoresOf<typeof revokeToken>;

/** Revokes an access token without a grant. A token that is already revoked gets no second audit entry. */
const revokeStandaloneToken = async (
  { clientId, tenantId, jti, expiresAt }: AccessToken,
  call: CallInfo,
  stores: Stores,
) => {
  const actor = { type: 'oauth_client', id: clientId } as const;
  const auditContext = createAuditContext(call, { tag: tagInId(clientId), action: 'token.revoke', actor });
  const by = { claim: call.requestId, attempt: 1 };
  await commit([
    stores.grantWriter.revokeToken(jti, expiresAt, { expectedRevision: null, by }),
    stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: jti })),
  ]);
};

/** Refresh tokens are recognized by their format. All other text is handled as an access token. */
export default operation(revokeToken, async ({ body, header, receivedAt, requestId, origin, stores }) => {
  const form = readForm(body);
  const client = await authenticateClient(form, header('authorization'), receivedAt, stores);
  const text = requireParameter(form, 'token');
  const call = { requestId, receivedAt, origin };
  const refresh = parseRefreshToken(text);
  if (refresh !== null) {
    const stored = await stores.grantWriter.grant(refresh.grantId);
    const presented = { clientId: client.client_id, secret: refresh.secret };
    const validity = validateRefreshToken(stored?.document ?? null, presented, receivedAt);
    if (validity === 'invalid') return reply(200, {});
    // A replaced refresh token revokes the grant here too: the holder of the newer one may have stolen it.
    await revokeGrant(refresh.grantId, validity === 'valid' ? 'token.revoke' : 'token.reuse', call, stores);
    return reply(200, {});
  }
  const context = { issuer: settings.BASE_URL, now: receivedAt, keys: stores.keys };
  const token = await verifyAccessToken(text, context);
  if (token === null || token === 'expired' || token.clientId !== client.client_id) return reply(200, {});
  if (token.grantId === null) await revokeStandaloneToken(token, call, stores);
  // A grant may have expired and been deleted before its last access token expires.
  else if ((await stores.grantWriter.grant(token.grantId)) !== null) {
    await revokeGrant(token.grantId, 'token.revoke', call, stores);
  }
  return reply(200, {});
});
