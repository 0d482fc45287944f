import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { GrantReader } from './grants/grant.store.ts';
import { apiKeyState, parseApiKey } from './principals/apiKey.ts';
import type { CredentialReader } from './principals/credential.store.ts';
import { secretMatches } from './principals/secret.ts';
import type { KeySet } from './tokens/signingKey.aws.ts';

/** Plan and limits of a tenant change rarely, and a value that is some seconds old does no harm. */
const TENANT_CACHE_MS = 5_000;
const CACHE_CAPACITY = 1_000;

/** `expired`: a genuine API key. `expired_token`: a genuine access token. */
export type AuthenticationFailure = 'invalid' | 'expired' | 'expired_token';

/** Authenticates a credential at `now` (epoch milliseconds). Throws the error of a store or of KMS. */
export type Authenticator = (credential: string, now: number) => Promise<Caller | AuthenticationFailure>;

/**
 * Creates the authenticator of API keys and access tokens. Credentials are read on every request and never cached, so a
 * revocation, rotation or deletion takes effect with the next request in every function.
 */
export const createAuthenticator = (dependencies: {
  readonly credentials: CredentialReader;
  readonly grants: GrantReader;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  readonly keys: KeySet;
  readonly issuer: string;
  readonly mode: 'live' | 'test';
  readonly clock: Clock;
}): Authenticator => {
  const { credentials, grants, tenants, keys, issuer, mode, clock } = dependencies;
  const tenantById = cacheLookups(tenants.tenant, {
    lifetime: TENANT_CACHE_MS,
    capacity: CACHE_CAPACITY,
    clock,
  });

  const authenticateApiKey: Authenticator = async (credential, now) => {
    const parsed = parseApiKey(credential);
    if (parsed === null || parsed.mode !== mode) return 'invalid';
    const key = await credentials.apiKey(parsed.keyId);
    if (!secretMatches(key?.secrets ?? null, parsed.secret, now) || key === null) return 'invalid';
    const state = apiKeyState(key, now);
    if (state === 'expired') return 'expired';
    const tenant = state === 'revoked' ? null : await tenantById(key.tenant_id);
    if (tenant === null) return 'invalid';
    return {
      tenant,
      principal: key.key_id,
      kind: 'api_key',
      email: null,
      scopes: new Set(key.scopes),
      residency: key.residency,
      signedInAt: null,
    };
  };

  const authenticateToken: Authenticator = async (credential, now) => {
    // Loaded on first use: most callers send an API key.
    const [{ verifyAccessToken }, { introspectToken }] = await Promise.all([
      import('./tokens/accessToken.ts'),
      import('./tokens/introspectToken.ts'),
    ]);
    const token = await verifyAccessToken(credential, { issuer, now, keys });
    if (token === null) return 'invalid';
    if (token === 'expired') return 'expired_token';
    const [tenant, introspected] = await Promise.all([
      tenantById(token.tenantId),
      introspectToken(token, { credentials, grants }),
    ]);
    return tenant === null || introspected === null ? 'invalid' : { tenant, ...introspected };
  };

  return (credential, now) =>
    credential.startsWith('ask_') ? authenticateApiKey(credential, now) : authenticateToken(credential, now);
};
