import { roles } from '../../../../schemas/identity/roles.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import type { Authorization } from '../../../platform/tenancy/authorization.ts';
import { isSameActiveUser } from '../grants/delegation.ts';
import type { CredentialReader } from './credential.store.ts';

/** The current scopes of a principal. Empty once the key was revoked, the client deleted or the user removed. */
const scopesNow = async (
  credentials: CredentialReader,
  tag: string,
  authorization: Authorization,
): Promise<readonly Scope[]> => {
  switch (authorization.kind) {
    case 'api_key': {
      const key = await credentials.apiKey(authorization.id);
      // An expired key still counts: expiry requires a new secret, but it does not withdraw the key's scopes.
      return key === null || key.revoked_at !== null ? [] : key.scopes;
    }
    case 'oauth_client': {
      const client = await credentials.client(authorization.id);
      return client === null || client.deleted_at !== null ? [] : client.scopes;
    }
    case 'user': {
      const user = await credentials.user(tag, authorization.email);
      return isSameActiveUser(user, authorization.id) ? roles[user.role] : [];
    }
  }
};

/**
 * The scopes that an authorization grants now: those the principal had when it gave the authorization and still has. Makes
 * one read. `tag` is the tenant's. Throws the SDK's error when the table does not answer.
 */
export const heldScopes = async (
  credentials: CredentialReader,
  tag: string,
  authorization: Authorization | null,
): Promise<ReadonlySet<Scope>> => {
  if (authorization === null) return new Set();
  const now: ReadonlySet<Scope> = new Set(await scopesNow(credentials, tag, authorization));
  return new Set(authorization.scopes.filter((scope) => now.has(scope)));
};
