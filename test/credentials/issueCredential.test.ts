import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiKey, parseApiKey } from '../../functions/access/apiKey.ts';
import { isClientId, OAuthClient } from '../../functions/access/client.ts';
import { type Secrets, secretMatches } from '../../functions/access/secret.ts';
import { rotateApiKeySecret, rotateClientSecret } from '../../functions/credentials/issueCredential.ts';
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

/** Whether a key as its holder has it proves the stored secrets. */
const proves = (text: string, secrets: Secrets, now: number): boolean =>
  secretMatches(secrets, parseApiKey(text)?.secret ?? '', now);

describe('a new API key', () => {
  it('is named in its own text, works, and lies in store without its secret', () => {
    const { secret, stored } = issueKey({ expiresAt: NOW + DAY });

    const parsed = parseApiKey(secret);

    expect(`key_${parsed?.keyId}`).toBe(stored.key_id);
    expect(stored.key_id).toMatch(new RegExp(`^key_${TENANT.tag}`));
    expect(proves(secret, stored.secrets, NOW)).toBe(true);
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

  it('is stored in the shape it is read back in', () => {
    const { stored } = issueKey({ residency: 'eu' });

    expect(ApiKey.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('without a scope is none, with several it is', () => {
    const { stored } = issueKey({ scopes: ['ingest:write', 'read:attribution'] });

    expect([stored, { ...stored, scopes: [] }].map((key) => ApiKey.safeParse(key).success)).toEqual([
      true,
      false,
    ]);
  });

  it.each(['live', 'test'] as const)('says that it is of a %s environment', (mode) => {
    expect(parseApiKey(issueKey({}, mode).secret)?.mode).toBe(mode);
  });
});

describe('a rotated API key', () => {
  const rotation = { at: NOW + 1_000, overlap: 60_000, expiresAt: NOW + 2 * DAY, isRetry: false, random };

  it('has another secret and another end, and is otherwise the key it was', () => {
    const { stored: before } = issueKey();

    const { secret, stored } = rotateApiKeySecret(before, rotation, 'test');

    const { secrets: _old, ...same } = before;
    expect(stored).toMatchObject({
      ...same,
      rotated_at: '2026-05-01T12:00:01.000Z',
      expires_at: '2026-05-03T12:00:00.000Z',
    });
    expect(`key_${parseApiKey(secret)?.keyId}`).toBe(before.key_id);
    expect(proves(secret, stored.secrets, NOW + DAY)).toBe(true);
  });

  it('takes its old secret until the overlap ends, and not a moment longer', () => {
    const { secret: old, stored: before } = issueKey();

    const { stored } = rotateApiKeySecret(before, rotation, 'test');

    const end = rotation.at + rotation.overlap;
    expect([end - 1, end].map((at) => proves(old, stored.secrets, at))).toEqual([true, false]);
  });

  it('of which nobody was told gets a new secret, and keeps what the first attempt left', () => {
    const { secret: old, stored: before } = issueKey();
    const attempt = rotateApiKeySecret(before, rotation, 'test');

    const retry = rotateApiKeySecret(attempt.stored, { ...rotation, isRetry: true }, 'test');

    const { secrets, ...rest } = retry.stored;
    const { secrets: left, ...others } = attempt.stored;
    expect(rest).toEqual(others);
    expect(secrets.previous).toEqual(left.previous);
    expect([old, attempt.secret, retry.secret].map((text) => proves(text, secrets, rotation.at))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('has one secret that works, and one more in the overlap, however often it is rotated', () => {
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

        const working = secrets.filter((text) => proves(text, stored.secrets, NOW + overlaps.length));

        expect(working).toEqual(secrets.slice(overlaps.at(-1) === 0 ? -1 : -2));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a client', () => {
  it('is known by its id, proved with its secret, and lies in store without it', () => {
    const { secret, stored } = issueTestClient();

    expect(isClientId(stored.client_id)).toBe(true);
    expect(secret).toMatch(/^acs_[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(stored)).not.toContain(secret?.slice(4));
    expect(secretMatches(stored.secrets, secret ?? '', NOW)).toBe(true);
    expect(OAuthClient.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  it('that is public has nothing to keep secret, and nothing to rotate', () => {
    const { secret, stored } = issueTestClient({
      authentication: 'none',
      grantTypes: ['authorization_code'],
      redirectUris: ['https://app.example.com/callback'],
    });

    expect([secret, stored.secrets]).toEqual([null, null]);
    expect(stored.redirect_uris).toEqual(['https://app.example.com/callback']);
    expect(() => rotateClientSecret(stored, { at: NOW, overlap: 0, isRetry: false, random })).toThrow(
      'public',
    );
  });

  it('changes nothing but its secrets when it is rotated', () => {
    const { secret: old, stored: before } = issueTestClient();

    const { secret, stored } = rotateClientSecret(before, {
      at: NOW,
      overlap: 1_000,
      isRetry: false,
      random,
    });

    const works = (text: string | null, at: number) => secretMatches(stored.secrets, text ?? '', at);
    expect({ ...stored, secrets: before.secrets }).toEqual(before);
    expect([works(secret, NOW), works(old, NOW + 999), works(old, NOW + 1_000)]).toEqual([true, true, false]);
  });
});
