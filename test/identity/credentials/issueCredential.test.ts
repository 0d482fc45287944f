import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiKey, parseApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { isClientId, OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import { type Secrets, secretMatches } from '../../../functions/identity/access/principals/secret.ts';
import {
  rotateApiKeySecret,
  rotateClientSecret,
} from '../../../functions/identity/credentials/issueCredential.ts';
import {
  apiKeyIssuer,
  clientIssuer,
  DAY,
  NOW,
  sequentialRandom,
  TENANT,
} from '../oauth/issuedCredentials.ts';

const issueKey = apiKeyIssuer();
const issueTestClient = clientIssuer();
const random = sequentialRandom('rotation');

/** Whether the stored secrets accept the key. */
const accepts = (text: string, secrets: Secrets, now: number): boolean =>
  secretMatches(secrets, parseApiKey(text)?.secret ?? '', now);

describe('a new API key', () => {
  it('contains its id, is valid, and is stored without its secret', () => {
    const { secret, stored } = issueKey({ expiresAt: NOW + DAY });

    const parsed = parseApiKey(secret);

    expect(`key_${parsed?.keyId}`).toBe(stored.key_id);
    expect(stored.key_id).toMatch(new RegExp(`^key_${TENANT.tag}`));
    expect(accepts(secret, stored.secrets, NOW)).toBe(true);
    expect(JSON.stringify(stored)).not.toContain(parsed?.secret);
    expect(stored).toMatchObject({
      tenant_id: 'acme',
      created_by: 'operator',
      created_at: '2026-05-01T12:00:00.000Z',
      expires_at: '2026-05-02T12:00:00.000Z',
      rotated_at: null,
      revoked_at: null,
    });
  });

  it('is stored as its schema defines', () => {
    const { stored } = issueKey({ residency: 'eu' });

    expect(ApiKey.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('is valid with several scopes and invalid without a scope', () => {
    const { stored } = issueKey({ scopes: ['ingest:write', 'read:attribution'] });

    expect([stored, { ...stored, scopes: [] }].map((key) => ApiKey.safeParse(key).success)).toEqual([
      true,
      false,
    ]);
  });

  it.each(['live', 'test'] as const)('contains the environment mode %s', (mode) => {
    expect(parseApiKey(issueKey({}, mode).secret)?.mode).toBe(mode);
  });
});

describe('a rotated API key', () => {
  const rotation = { at: NOW + 1_000, overlap: 60_000, expiresAt: NOW + 2 * DAY, random };

  it('has a new secret and expiry, and no other changes', () => {
    const { stored: before } = issueKey();

    const { secret, stored } = rotateApiKeySecret(before, rotation, 'test');

    const { secrets: _old, ...same } = before;
    expect(stored).toMatchObject({
      ...same,
      rotated_at: '2026-05-01T12:00:01.000Z',
      expires_at: '2026-05-03T12:00:00.000Z',
    });
    expect(`key_${parseApiKey(secret)?.keyId}`).toBe(before.key_id);
    expect(accepts(secret, stored.secrets, NOW + DAY)).toBe(true);
  });

  it('accepts its old secret until exactly the end of the overlap', () => {
    const { secret: old, stored: before } = issueKey();

    const { stored } = rotateApiKeySecret(before, rotation, 'test');

    const end = rotation.at + rotation.overlap;
    expect([end - 1, end].map((at) => accepts(old, stored.secrets, at))).toEqual([true, false]);
  });

  it('accepts one secret, and one more during the overlap, after any number of rotations', () => {
    const overlaps = fc.array(fc.constantFrom(0, 60_000), { minLength: 1, maxLength: 6 });

    fc.assert(
      fc.property(overlaps, (overlaps) => {
        const first = issueKey();
        let { stored } = first;
        const secrets = [first.secret];
        for (const [index, overlap] of overlaps.entries()) {
          const next = rotateApiKeySecret(stored, { ...rotation, at: NOW + index, overlap }, 'test');
          stored = next.stored;
          secrets.push(next.secret);
        }

        const valid = secrets.filter((text) => accepts(text, stored.secrets, NOW + overlaps.length));

        expect(valid).toEqual(secrets.slice(overlaps.at(-1) === 0 ? -1 : -2));
      }),
      { numRuns: 30 },
    );
  });
});

describe('an OAuth client', () => {
  it('has a client id and a valid secret, and is stored without the secret', () => {
    const { secret, stored } = issueTestClient();

    expect(isClientId(stored.client_id)).toBe(true);
    expect(secret).toMatch(/^acs_[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(stored)).not.toContain(secret?.slice(4));
    expect(secretMatches(stored.secrets, secret ?? '', NOW)).toBe(true);
    expect(OAuthClient.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('has no secret if it is public, and cannot be rotated', () => {
    const { secret, stored } = issueTestClient({
      authentication: 'none',
      grantTypes: ['authorization_code'],
      redirectUris: ['https://app.example.com/callback'],
    });

    expect([secret, stored.secrets]).toEqual([null, null]);
    expect(stored.redirect_uris).toEqual(['https://app.example.com/callback']);
    expect(() => rotateClientSecret(stored, { at: NOW, overlap: 0, random })).toThrow('public');
  });

  it('changes only its secrets when it is rotated', () => {
    const { secret: old, stored: before } = issueTestClient();

    const { secret, stored } = rotateClientSecret(before, {
      at: NOW,
      overlap: 1_000,
      random,
    });

    const isValid = (text: string | null, at: number) => secretMatches(stored.secrets, text ?? '', at);
    expect({ ...stored, secrets: before.secrets }).toEqual(before);
    expect([isValid(secret, NOW), isValid(old, NOW + 999), isValid(old, NOW + 1_000)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
