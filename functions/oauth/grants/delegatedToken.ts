import type { Scope } from '../../../schemas/access/scopes.ts';
import type { TokenContent } from '../../access/accessToken.ts';
import type { OAuthClient } from '../../access/client.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import { delegatedScopes, isSameActiveUser } from '../../access/delegation.ts';
import type { Grant } from '../../access/grant.ts';
import { tokenError } from '../token/tokenRequest.ts';

/**
 * What a grant is worth to its client now, since the user may have been removed or given another role meanwhile.
 * Throws invalid_grant when it is worth nothing.
 */
export const requireDelegatedScopes = async (
  grant: Grant,
  client: OAuthClient,
  { user: findUser }: Pick<CredentialReader, 'user'>,
): Promise<readonly Scope[]> => {
  const user = await findUser(grant.tenant_tag, grant.email);
  const scopes = isSameActiveUser(user, grant.user_id) ? delegatedScopes(grant.scopes, client, user) : [];
  if (scopes.length === 0) throw tokenError('invalid_grant', 'The user may not do this any more.');
  return scopes;
};

/** An access token by which a client acts for the user of a grant. */
export const toTokenContent = (grant: Grant, scopes: readonly Scope[]): TokenContent => ({
  tenantId: grant.tenant_id,
  clientId: grant.client_id,
  scopes,
  user: { userId: grant.user_id, grantId: grant.grant_id, signedInAt: grant.signed_in_at },
});
