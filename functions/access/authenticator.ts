import type { Caller } from '../http/exchange.ts';
import { unavailable } from '../http/problem.ts';
import { cached } from '../shared/cached.ts';
import type { Clock } from '../shared/clock.ts';
import type { TenantReader } from '../tenancy/store.ts';
import { apiKeyStanding, parseApiKey, secretMatches } from './apiKey.ts';
import type { KeySet } from './signingKey.store.ts';
import type { CredentialReader } from './store.ts';

/** Revocation counts at once: nothing about a credential is believed for longer than this. */
const CREDENTIAL_LIFETIME = 1_000;
/** Plan, limits and shards of a tenant change rarely and harm nobody for a few seconds. */
const TENANT_LIFETIME = 5_000;
const CACHE_CAPACITY = 1_000;

/** Judges a credential at `now` (epoch milliseconds). Throws SERVICE_UNAVAILABLE when it cannot. */
export type Authenticator = (credential: string, now: number) => Promise<Caller | 'invalid' | 'expired'>;

export const authenticatorOf = (dependencies: {
  readonly credentials: CredentialReader;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  readonly keys: KeySet;
  readonly issuer: string;
  readonly mode: 'live' | 'test';
  readonly clock: Clock;
}): Authenticator => {
  const { credentials, tenants, keys, issuer, mode, clock } = dependencies;
  const apiKeyById = cached(credentials.apiKey, {
    lifetime: CREDENTIAL_LIFETIME,
    capacity: CACHE_CAPACITY,
    clock,
  });
  const tenantById = cached(tenants.tenant, { lifetime: TENANT_LIFETIME, capacity: CACHE_CAPACITY, clock });

  const byApiKey: Authenticator = async (credential, now) => {
    const parsed = parseApiKey(credential);
    if (parsed === null || parsed.mode !== mode) return 'invalid';
    const key = await apiKeyById(parsed.keyId);
    if (!secretMatches(key, parsed.secret) || key === null) return 'invalid';
    const standing = apiKeyStanding(key, now);
    if (standing === 'expired') return 'expired';
    const tenant = standing === 'valid' ? await tenantById(key.tenant_id) : null;
    return tenant === null ? 'invalid' : { tenant, principal: key.key_id, scopes: new Set(key.scopes) };
  };

  const byToken: Authenticator = async (credential, now) => {
    const { verifyAccessToken } = await import('./accessToken.ts');
    const token = await verifyAccessToken(credential, { issuer, now, keys });
    const tenant = token === null ? null : await tenantById(token.tenantId);
    if (token === null || tenant === null) return 'invalid';
    return { tenant, principal: token.clientId, scopes: token.scopes };
  };

  return async (credential, now) => {
    try {
      return credential.startsWith('ask_') ? await byApiKey(credential, now) : await byToken(credential, now);
    } catch (error) {
      throw unavailable(error);
    }
  };
};
