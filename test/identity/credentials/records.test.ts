import { describe, expect, it } from 'vitest';
import { rotateSecrets } from '../../../functions/identity/access/principals/secret.ts';
import { toApiKeyRecord } from '../../../functions/identity/credentials/apiKeyRecord.ts';
import { toClientRecord } from '../../../functions/identity/credentials/clientRecord.ts';
import { ApiKeyRecord } from '../../../schemas/routes/identity/apiKeys.ts';
import { OAuthClientRecord } from '../../../schemas/routes/identity/oauthClients.ts';
import { apiKeyIssuer, clientIssuer, NOW } from '../oauth/issuedCredentials.ts';

const { stored: key } = apiKeyIssuer()();
const { stored: client } = clientIssuer()();
const OVERLAP = 60_000;
const overlapping = <Credential extends { readonly secrets: typeof key.secrets | null }>(of: Credential) =>
  of.secrets === null
    ? of
    : { ...of, secrets: rotateSecrets(of.secrets, of.secrets.current, { at: NOW, overlap: OVERLAP }) };

describe('toApiKeyRecord and toClientRecord', () => {
  it('match the schema exactly', () => {
    expect(ApiKeyRecord.parse(toApiKeyRecord(key, NOW, NOW))).toEqual(toApiKeyRecord(key, NOW, NOW));
    expect(OAuthClientRecord.parse(toClientRecord(client, NOW, NOW))).toEqual(
      toClientRecord(client, NOW, NOW),
    );
  });

  it('do not contain the secrets', () => {
    const shown = JSON.stringify([
      toApiKeyRecord(overlapping(key), undefined, NOW),
      toClientRecord(overlapping(client), undefined, NOW),
    ]);

    for (const { salt, hash } of [key.secrets.current, client.secrets?.current ?? key.secrets.current]) {
      expect(shown).not.toContain(salt);
      expect(shown).not.toContain(hash);
    }
  });

  it('return the last use, or null for an unused credential', () => {
    expect([
      toApiKeyRecord(key, NOW, NOW).last_used_at,
      toApiKeyRecord(key, undefined, NOW).last_used_at,
      toClientRecord(client, NOW, NOW).last_used_at,
      toClientRecord(client, undefined, NOW).last_used_at,
    ]).toEqual(['2026-05-01T12:00:00.000Z', null, '2026-05-01T12:00:00.000Z', null]);
  });

  it('return the end of the overlap while it lasts', () => {
    const ends = [NOW, NOW + OVERLAP - 1, NOW + OVERLAP].map((at) => [
      toApiKeyRecord(overlapping(key), undefined, at).previous_secret_valid_until,
      toClientRecord(overlapping(client), undefined, at).previous_secret_valid_until,
    ]);

    const until = '2026-05-01T12:01:00.000Z';
    expect(ends).toEqual([
      [until, until],
      [until, until],
      [null, null],
    ]);
  });

  it('return no overlap for a public client', () => {
    const { stored: open } = clientIssuer()({ authentication: 'none' });

    expect(toClientRecord(open, undefined, NOW).previous_secret_valid_until).toBeNull();
  });

  it('return no overlap for a revoked key', () => {
    const revoked = { ...overlapping(key), revoked_at: new Date(NOW).toISOString() };

    expect(toApiKeyRecord(revoked, undefined, NOW)).toMatchObject({
      state: 'revoked',
      previous_secret_valid_until: null,
    });
  });
});
