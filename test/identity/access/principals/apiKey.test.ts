import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApiKey,
  apiKeyState,
  credentialMode,
  formatApiKey,
  parseApiKey,
} from '../../../../functions/identity/access/principals/apiKey.ts';
import { newSecret } from '../../../../functions/identity/access/principals/secret.ts';
import { apiKeyIssuer, NOW } from '../../oauth/issuedCredentials.ts';

const issue = apiKeyIssuer();
const { secret: text, stored } = issue();

describe('formatApiKey and parseApiKey', () => {
  it('return the parts the key was made of', () => {
    const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => newSecret(() => bytes));
    const mode = fc.constantFrom('live', 'test');
    const keyId = fc.stringMatching(/^[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

    fc.assert(
      fc.property(mode, keyId, secret, (mode, keyId, secret) => {
        expect(parseApiKey(formatApiKey(mode, keyId, secret))).toEqual({ mode, keyId, secret });
      }),
    );
  });

  it('reject a key with any single character changed', () => {
    const character = fc.constantFrom(...'ABCXYZabcxyz0189_- é');

    for (let index = 0; index < text.length; index += 1) {
      fc.assert(
        fc.property(character, (typed) => {
          fc.pre(typed !== text[index]);
          expect(parseApiKey(text.slice(0, index) + typed + text.slice(index + 1))).toBeNull();
        }),
        { numRuns: 5 },
      );
    }
  });

  it.each([
    '',
    'ask_',
    'ask_test_',
    `${text} `,
    `${text}\n`,
    ` ${text}`,
    text.toUpperCase(),
    text.slice(0, -1),
    text.replace('test', 'prod'),
    text.replace('test', 'live'),
  ])('reject %j', (wrong) => {
    expect(parseApiKey(wrong)).toBeNull();
  });

  it('separate live and test keys', () => {
    expect((['production', 'sandbox', 'local'] as const).map(credentialMode)).toEqual([
      'live',
      'test',
      'test',
    ]);
  });
});

describe('apiKeyState returns', () => {
  const iso = (at: number) => new Date(at).toISOString();
  const [past, present, future] = [iso(NOW - 1), iso(NOW), iso(NOW + 1)];
  const overlapping = (valid_until: string): ApiKey['secrets'] => ({
    ...stored.secrets,
    previous: { ...stored.secrets.current, valid_until },
  });

  it.each<[ReturnType<typeof apiKeyState>, Partial<ApiKey>]>([
    ['active', { expires_at: future }],
    ['expired', { expires_at: present }],
    ['expired', { expires_at: past }],
    ['revoked', { revoked_at: past }],
    ['revoked', { revoked_at: past, secrets: overlapping(future) }],
    ['expired', { revoked_at: past, expires_at: past }],
    ['expired', { expires_at: past, secrets: overlapping(future) }],
    ['rotating', { secrets: overlapping(future) }],
    ['active', { secrets: overlapping(present) }],
    ['active', { secrets: overlapping(past) }],
  ])('%s with %j', (expected, members) => {
    expect(apiKeyState({ ...stored, ...members }, NOW)).toBe(expected);
  });

  it('exactly one state, and expired forever once a key has expired', () => {
    const instant = fc.integer({ min: NOW - 10, max: NOW + 10 });

    fc.assert(
      fc.property(instant, instant, fc.option(instant), instant, (expiry, until, revoked, now) => {
        const key: ApiKey = {
          ...stored,
          expires_at: iso(expiry),
          revoked_at: revoked === null ? null : iso(revoked),
          secrets: overlapping(iso(until)),
        };

        const state = apiKeyState(key, now);

        expect(state === 'expired').toBe(expiry <= now);
        if (state === 'expired') expect(apiKeyState(key, now + 1)).toBe('expired');
        if (state === 'rotating') expect([until > now, revoked]).toEqual([true, null]);
      }),
    );
  });
});
