import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../functions/access/apiKey.ts';
import { authenticatorOf } from '../../functions/access/authenticator.ts';
import { mintApiKey } from '../../functions/access/minting.ts';
import { ProblemError } from '../../functions/http/problem.ts';
import { caller } from '../http/harness.ts';

const { tenant } = caller;
let now: number;
let looked: string[];
let stored: Map<string, ApiKey>;
/** What the store does instead of answering. */
let fault: (() => never) | undefined;

const mint = (mode: 'live' | 'test' = 'test', expiresAt: number | null = null): string => {
  let next = stored.size;
  const random = (length: number) => Uint8Array.from({ length }, () => (next++ * 37) % 256);
  const key = mintApiKey(
    { tenant, name: 'ci', scopes: ['ingest:write'], mode, expiresAt },
    { at: now, random },
  );
  stored.set(key.stored.key_id.slice(4), key.stored);
  return key.secret;
};

const change = (change: Partial<ApiKey>): void => {
  for (const [id, key] of stored) stored.set(id, { ...key, ...change });
};

const make = (lookUp?: (keyId: string) => Promise<ApiKey | null>) =>
  authenticatorOf({
    credentials: {
      apiKey:
        lookUp ??
        (async (keyId) => {
          looked.push(keyId);
          fault?.();
          return stored.get(keyId) ?? null;
        }),
      client: async () => null,
    },
    tenants: { tenant: async (id) => (id === tenant.tenant_id ? tenant : null) },
    keys: {
      publicKeys: async () => {
        fault?.();
        return [];
      },
    },
    issuer: 'https://api.example.com',
    mode: 'test',
    clock: () => now,
  });

const down = () => {
  throw new Error('the table is down');
};
const outage = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

beforeEach(() => {
  now = Date.parse('2026-05-01T12:00:00Z');
  looked = [];
  stored = new Map();
  fault = undefined;
});

describe('an authenticator', () => {
  it('knows the caller by the key', async () => {
    const key = mint();

    expect(await make()(key, now)).toMatchObject({
      tenant: { tenant_id: 'acme' },
      principal: `key_${looked[0]}`,
      scopes: new Set(['ingest:write']),
    });
  });

  it('looks up no key that is malformed or of another environment', async () => {
    const key = mint();

    for (const text of ['', 'ask_', key.slice(0, -1), key.replace(/.$/, '~'), mint('live')]) {
      expect(await make()(text, now)).toBe('invalid');
    }
    expect(looked).toEqual([]);
  });

  it('tells of an expiry only to whoever has the secret', async () => {
    const key = mint('test', now + 1);
    const [, , id] = key.split('_');
    const guess = mint().replace(/_[a-z2-7]{8}[0-9A-Z]{26}_/, `_${id}_`);

    expect(await make()(key, now + 1)).toBe('expired');
    expect(await make()(guess, now + 1)).toBe('invalid');
  });

  it('never takes an outage for a wrong credential, nor remembers it', async () => {
    const key = mint();
    const authenticate = make();

    fault = down;
    await expect(authenticate(key, now)).rejects.toEqual(outage);
    await expect(authenticate('a.b.c', now)).rejects.toEqual(outage);
    fault = undefined;

    expect(await authenticate(key, now)).toMatchObject({ tenant });
  });

  it('does not remember that a key was not there', async () => {
    const key = mint();
    const authenticate = make();
    const all = new Map(stored);

    stored.clear();
    const before = await authenticate(key, now);
    for (const [id, found] of all) stored.set(id, found);

    expect(before).toBe('invalid');
    expect(await authenticate(key, now)).toMatchObject({ tenant });
  });

  it('asks once while it may believe what it heard, for a second', async () => {
    const key = mint();
    const authenticate = make();

    await authenticate(key, now);
    now += 999;
    await authenticate(key, now);
    expect(looked).toHaveLength(1);
    now += 1;
    await authenticate(key, now);
    expect(looked).toHaveLength(2);
  });

  it('believes in a revoked key for a second at most, also with an outage in between', async () => {
    const key = mint();
    const authenticate = make();
    await authenticate(key, now);

    change({ state: 'revoked' });
    now += 1_000;
    fault = down;
    await expect(authenticate(key, now)).rejects.toEqual(outage);
    fault = undefined;

    expect(await authenticate(key, now)).toBe('invalid');
  });

  it('counts that second from when it asked, not from when it was answered', async () => {
    const key = mint();
    const before = [...stored.values()][0] ?? null;
    let answer = async () => {
      // The store is slow, and the key is revoked meanwhile.
      now += 1_000;
      return before;
    };
    const authenticate = make(() => answer());
    await authenticate(key, now);

    answer = async () => (before === null ? null : { ...before, state: 'revoked' });

    expect(await authenticate(key, now)).toBe('invalid');
  });

  it('does not know a caller whose tenant is gone', async () => {
    const key = mint();
    change({ tenant_id: 'gone' });

    expect(await make()(key, now)).toBe('invalid');
  });

  it('answers any text, and throws only what a caller may see', async () => {
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
    await expect(authenticate('a.b.c', now)).rejects.toBeInstanceOf(ProblemError);
  });
});
