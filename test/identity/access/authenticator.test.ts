import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../functions/identity/access/authenticator.ts';
import {
  type ApiKey,
  formatApiKey,
  parseApiKey,
} from '../../../functions/identity/access/principals/apiKey.ts';
import type { OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import { issueAccessToken } from '../../../functions/identity/access/tokens/accessToken.ts';
import { rotateApiKeySecret } from '../../../functions/identity/credentials/issueCredential.ts';
import { limiter } from '../../../functions/platform/limits/limiter.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { caller } from '../../platform/http/harness.ts';
import { inMemoryBucketStore } from '../../platform/limits/inMemoryBucketStore.ts';
import { apiKeyIssuer, NOW, sequentialRandom } from '../oauth/issuedCredentials.ts';
import { signer } from './testSigner.ts';

const { tenant } = caller;
let now: number;
let looked: string[];
let stored: Map<string, ApiKey>;
let tenants: Map<string, Tenant>;
let clients: Map<string, OAuthClient>;
/** The failures of the stores. */
let fault: (() => never) | undefined;

const make = (lookUp?: (keyId: string) => Promise<ApiKey | null>) =>
  createAuthenticator({
    credentials: {
      apiKey:
        lookUp ??
        (async (keyId) => {
          looked.push(keyId);
          fault?.();
          return stored.get(keyId) ?? null;
        }),
      client: async (clientId) => clients.get(clientId) ?? null,
      user: async () => null,
    },
    grants: { grant: async () => null, isRevoked: async () => false },
    tenants: {
      tenant: async (id) => {
        fault?.();
        return tenants.get(id) ?? null;
      },
    },
    keys: {
      publicKeys: async () => {
        fault?.();
        return signer.publicKeys();
      },
    },
    issuer: 'https://api.example.com',
    mode: 'test',
    clock: () => now,
  });

let issueApiKey: ReturnType<typeof apiKeyIssuer>;
const issue: typeof issueApiKey = (...rights) => {
  const key = issueApiKey(...rights);
  stored.set(key.stored.key_id.slice(4), key.stored);
  return key;
};
const change = (key: ApiKey, members: Partial<ApiKey>): void => {
  stored.set(key.key_id.slice(4), { ...key, ...members });
};
const iso = (at: number): string => new Date(at).toISOString();

const down = () => {
  throw new Error('the table is down');
};

beforeEach(() => {
  now = NOW;
  looked = [];
  stored = new Map();
  tenants = new Map([[tenant.tenant_id, tenant]]);
  clients = new Map();
  fault = undefined;
  issueApiKey = apiKeyIssuer();
});

describe('createAuthenticator', () => {
  it('returns the caller of an API key', async () => {
    const key = issue({ residency: 'eu' });

    expect(await make()(key.secret, now)).toEqual({
      tenant,
      principal: key.stored.key_id,
      kind: 'api_key',
      email: null,
      scopes: new Set(['ingest:write']),
      residency: 'eu',
      signedInAt: null,
    });
  });

  it('returns the caller of an access token, and invalid without its client or tenant', async () => {
    const client: OAuthClient = {
      client_id: 'cli_1',
      tenant_id: tenant.tenant_id,
      name: 'client',
      scopes: ['ingest:write', 'read:attribution'],
      residency: 'eu',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
      secrets: null,
      created_by: 'operator',
      created_at: iso(now),
      deleted_at: null,
    };
    const token = await issueAccessToken(
      { tenantId: tenant.tenant_id, clientId: client.client_id, scopes: ['ingest:write'] },
      { issuer: 'https://api.example.com', now, jti: 'id', signer },
    );
    const withoutClient = await make()(token, now);
    clients.set(client.client_id, client);
    const authenticated = await make()(token, now);
    tenants.clear();

    expect(authenticated).toEqual({
      tenant,
      principal: 'cli_1',
      kind: 'oauth_client',
      email: null,
      scopes: new Set(['ingest:write']),
      residency: 'eu',
      signedInAt: null,
    });
    expect([withoutClient, await make()(token, now)]).toEqual(['invalid', 'invalid']);
  });

  it('does not look up a malformed key or a key of another environment', async () => {
    const { secret } = issue();

    for (const text of [
      '',
      'ask_',
      secret.slice(0, -1),
      secret.replace(/.$/, '~'),
      issue({}, 'live').secret,
    ]) {
      expect(await make()(text, now)).toBe('invalid');
    }
    expect(looked).toEqual([]);
  });

  it('reads the same for an unknown id and a known id with a wrong secret, so their times tell nothing', async () => {
    const [known, unknown] = [issue(), issue()];
    stored.clear();
    // The presented secret of the known key is wrong, because another one is stored.
    change(known.stored, { secrets: unknown.stored.secrets });
    tenants.get = () => {
      throw new Error('a rejected key must not cause a read of its tenant');
    };

    const reads = [];
    for (const text of [unknown.secret, known.secret]) {
      looked = [];
      expect(await make()(text, now)).toBe('invalid');
      reads.push(looked.length);
    }

    expect(reads).toEqual([1, 1]);
  });

  it.each(['active', 'revoked'])(
    'returns expired for an expired key in state %s only with the right secret, else invalid',
    async (state) => {
      const { secret, stored: key } = issue({ expiresAt: now + 1 });
      if (state === 'revoked') change(key, { revoked_at: iso(now) });
      // The secret of another key under this key's id, with a correct checksum, so that the lookup decides.
      const otherSecret = parseApiKey(issue().secret)?.secret ?? '';
      const guess = formatApiKey('test', key.key_id.slice(4), otherSecret);

      expect(await make()(secret, now + 1)).toBe('expired');
      looked = [];
      expect(await make()(guess, now + 1)).toBe('invalid');
      expect(looked).toEqual([key.key_id.slice(4)]);
    },
  );

  it('throws on an outage and does not cache it', async () => {
    const { secret } = issue();
    const authenticate = make();

    fault = down;
    await expect(authenticate(secret, now)).rejects.toThrow('the table is down');
    await expect(authenticate('a.b.c', now)).rejects.toThrow('the table is down');
    fault = undefined;

    expect(await authenticate(secret, now)).toMatchObject({ tenant });
  });

  it('rejects the key of a deleted tenant', async () => {
    const { secret } = issue();
    tenants.clear();

    expect(await make()(secret, now)).toBe('invalid');
  });

  it('returns invalid for any text, and throws on an outage', async () => {
    const authenticate = make();
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[\w-]*\.[\w-]*\.[\w-]*$/),
    );

    await fc.assert(
      fc.asyncProperty(text, async (credential) => {
        expect(await authenticate(credential, now)).toBe('invalid');
      }),
    );
    fault = down;
    await expect(authenticate('a.b.c', now)).rejects.toThrow('the table is down');
  });
});

describe('with the next request', () => {
  it.each<[string, (key: ApiKey) => void]>([
    ['revoked', (key) => change(key, { revoked_at: iso(now) })],
    ['given another secret', (key) => change(key, rotate(key, 0).stored)],
    ['removed', () => stored.clear()],
  ])('a key that was %s is rejected', async (_, act) => {
    const { secret, stored: key } = issue();
    const authenticate = make();
    await authenticate(secret, now);

    act(key);

    expect(await authenticate(secret, now)).toBe('invalid');
  });

  it('changed scopes of a key take effect', async () => {
    const { secret, stored: key } = issue();
    const authenticate = make();
    await authenticate(secret, now);

    change(key, { scopes: ['read:attribution'] });

    expect(await authenticate(secret, now)).toMatchObject({ scopes: new Set(['read:attribution']) });
  });

  it('a new key is accepted', async () => {
    const authenticate = make();
    const { secret, stored: key } = issueApiKey();

    const before = await authenticate(secret, now);
    stored.set(key.key_id.slice(4), key);

    expect([before, await authenticate(secret, now)]).toEqual([
      'invalid',
      expect.objectContaining({ tenant }),
    ]);
  });

  it('both secrets are accepted during the overlap of a rotation, then only the new one', async () => {
    const { secret: old, stored: key } = issue();
    const authenticate = make();
    const { secret: next, stored: rotated } = rotate(key, 60_000);

    change(key, rotated);

    const known = expect.objectContaining({ principal: key.key_id });
    const both = [await authenticate(old, now + 59_999), await authenticate(next, now + 59_999)];
    const after = [await authenticate(old, now + 60_000), await authenticate(next, now + 60_000)];
    expect([both, after]).toEqual([
      [known, known],
      ['invalid', known],
    ]);
  });

  it('continues with the rate limit of the key after a rotation, by its old and by its new secret', async () => {
    const { secret: old, stored: key } = issue();
    const authenticate = make();
    const charges = limiter(inMemoryBucketStore().store, { clock: () => now });
    const remainingFor = async (secret: string): Promise<number> => {
      const found = await authenticate(secret, now);
      if (typeof found === 'string') throw new Error(found);
      const { tenant: owner, principal } = found;
      return (await charges.charge({ tenant: owner, principal, rateClass: 'write', cost: 1 })).state
        .remaining;
    };
    const before = await remainingFor(old);

    const { secret: next, stored: rotated } = rotate(key, 60_000);
    change(key, rotated);

    expect([await remainingFor(next), await remainingFor(old)]).toEqual([before - 1, before - 2]);
  });

  const rotate = (key: ApiKey, overlap: number) =>
    rotateApiKeySecret(
      key,
      {
        at: now,
        overlap,
        expiresAt: Date.parse(key.expires_at),
        random: sequentialRandom('next'),
      },
      'test',
    );
});

describe('the lookup of a credential', () => {
  it('runs on every request', async () => {
    const { secret } = issue();
    const authenticate = make();

    await Promise.all([authenticate(secret, now), authenticate(secret, now)]);
    await authenticate(secret, now);

    expect(looked).toHaveLength(3);
  });

  it('is not shared with a request that arrives after a revocation', async () => {
    const { secret, stored: key } = issue();
    const answers: ((found: ApiKey) => void)[] = [];
    const authenticate = make(() => new Promise((answer) => answers.push(answer)));

    const early = authenticate(secret, now);
    // The key is revoked here. The first lookup has read it, but has not returned yet.
    const late = authenticate(secret, now);
    answers[1]?.({ ...key, revoked_at: iso(now) });
    const verdict = await late;
    answers[0]?.(key);

    expect([verdict, await early]).toEqual(['invalid', expect.objectContaining({ tenant })]);
  });
});

describe('the tenant of a caller', () => {
  it('is cached for five seconds', async () => {
    const { secret } = issue();
    const authenticate = make();
    const planAt = async (later: number) => {
      now = NOW + later;
      const found = await authenticate(secret, now);
      return typeof found === 'string' ? found : found.tenant.plan;
    };

    const before = await planAt(0);
    tenants.set(tenant.tenant_id, { ...tenant, plan: 'free' });

    expect([before, await planAt(4_999), await planAt(5_000)]).toEqual(['standard', 'standard', 'free']);
  });

  it('is looked up again after it was not found', async () => {
    const { secret } = issue();
    const authenticate = make();
    tenants.clear();
    await authenticate(secret, now);

    tenants.set(tenant.tenant_id, tenant);

    expect(await authenticate(secret, now)).toMatchObject({ tenant });
  });
});
