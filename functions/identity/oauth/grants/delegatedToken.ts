import type { Scope } from '../../../../schemas/identity/scopes.ts';
import { delegatedScopes, isSameActiveUser } from '../../access/grants/delegation.ts';
import type { Grant } from '../../access/grants/grant.ts';
import type { OAuthClient } from '../../access/principals/client.ts';
import type { CredentialReader } from '../../access/principals/credential.store.ts';
import type { TokenContent } from '../../access/tokens/accessToken.ts';
import { tokenError } from '../token/tokenRequest.ts';

/**
 * The scopes of a grant that are still valid. The user may have been removed or given another role since the sign-in.
 * Throws invalid_grant if none is left.
 */
export const requireDelegatedScopes = async (
  grant: Grant,
  client: OAuthClient,
  { user: findUser }: Pick<CredentialReader, 'user'>,
): Promise<readonly Scope[]> => {
  const user = await findUser(grant.tenant_tag, grant.email);
  const scopes = isSameActiveUser(user, grant.user_id) ? delegatedScopes(grant.scopes, client, user) : [];
  if (scopes.length === 0)
    throw tokenError('invalid_grant', 'The user no longer has any of the granted scopes.');
  return scopes;
};

/** The content of an access token with which the client acts for the user of a grant. */
export const toTokenContent = (grant: Grant, scopes: readonly Scope[]): TokenContent => ({
  tenantId: grant.tenant_id,
  clientId: grant.client_id,
  scopes,
  user: { userId: grant.user_id, grantId: grant.grant_id, signedInAt: grant.signed_in_at },
});
