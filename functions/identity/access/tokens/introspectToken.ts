import { CONNECTOR_LAYER } from '../../../../schemas/routes/identity/oauthClients.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { delegatedScopes, isSameActiveUser } from '../grants/delegation.ts';
import type { GrantReader } from '../grants/grant.store.ts';
import { findTokenClient } from '../principals/consoleClient.ts';
import type { CredentialReader } from '../principals/credential.store.ts';
import type { AccessToken } from './accessToken.ts';

type TokenCaller = Omit<Caller, 'tenant'>;

/**
 * The caller that a verified access token identifies now; null if the token is no longer active. After it was signed, the
 * token or its grant may have been revoked, the client deleted, or the user removed or given another role.
 */
export const introspectToken = async (
  token: AccessToken,
  { credentials, grants }: { readonly credentials: CredentialReader; readonly grants: GrantReader },
): Promise<TokenCaller | null> => {
  const [client, isRevoked, grant] = await Promise.all([
    findTokenClient(token, credentials),
    grants.isRevoked(token.jti),
    token.grantId === null ? null : grants.grant(token.grantId),
  ]);
  if (client === null || client.deleted_at !== null || client.tenant_id !== token.tenantId || isRevoked) {
    return null;
  }
  const { residency } = client;
  if (token.grantId === null) {
    const isConnector = client.source_systems !== undefined;
    // Without its registration, a connector would speak for the tenant.
    const scopes = new Set(
      client.scopes.filter(
        (scope) => token.scopes.has(scope) && (scope !== 'partner:connector' || isConnector),
      ),
    );
    return {
      principal: client.client_id,
      kind: 'oauth_client',
      email: null,
      scopes,
      residency,
      signedInAt: null,
      ...(client.source_systems !== undefined && {
        connector: {
          name: client.name,
          sourceSystems: client.source_systems,
          layer: client.ingestion_layer ?? CONNECTOR_LAYER,
          fillsOtherSources: client.fills_other_sources ?? false,
        },
      }),
    };
  }
  if (grant === null || grant.revoked_at !== null || grant.client_id !== client.client_id) return null;
  const user = await credentials.user(grant.tenant_tag, grant.email);
  if (!isSameActiveUser(user, token.subject)) return null;
  return {
    principal: user.user_id,
    kind: 'user',
    email: user.email,
    scopes: new Set(delegatedScopes(token.scopes, client, user)),
    residency,
    signedInAt: grant.signed_in_at,
  };
};
