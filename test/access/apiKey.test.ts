import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApiKey,
  apiKeyStanding,
  apiKeyText,
  credentialMode,
  parseApiKey,
  secretMatches,
  secretOf,
} from '../../functions/access/apiKey.ts';
import { mintApiKey, mintClient } from '../../functions/access/minting.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const TENANT = { tenant_id: 'acme', tag: 'k3vcq2mc' };

/** Bytes that differ from call to call, the same in every run. */
const counting = () => {
  let next = 0;
  return (length: number) => Uint8Array.from({ length }, () => (next++ * 37) % 256);
};

const mint = (random = counting()) =>
  mintApiKey(
    { tenant: TENANT, name: 'ci', scopes: ['ingest:write'], mode: 'test', expiresAt: null },
    { at: NOW, random },
  );

describe('an API key', () => {
  it('reads back as what it was made of', () => {
    const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(secretOf);
    const mode = fc.constantFrom('live', 'test');
    const keyId = fc.stringMatching(/^[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

    fc.assert(
      fc.property(mode, keyId, secret, (mode, keyId, secret) => {
        expect(parseApiKey(apiKeyText(mode, keyId, secret))).toEqual({ mode, keyId, secret });
      }),
    );
  });

  it('is told from a mistyped one without a look-up, wherever one character differs', () => {
    const { secret: text } = mint();
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
    `${mint().secret} `,
    `${mint().secret}\n`,
    ` ${mint().secret}`,
    mint().secret.toUpperCase(),
    mint().secret.slice(0, -1),
    mint().secret.replace('test', 'prod'),
    mint().secret.replace('test', 'live'),
  ])('is none when it reads %j', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  it('lies in store without its secret', () => {
    const { secret: text, stored } = mint();
    const secret = parseApiKey(text)?.secret ?? '';

    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(secretMatches(stored, secret)).toBe(true);
  });

  it('has a salt of its own, so that equal secrets do not look equal', () => {
    const random = counting();
    const same = (length: number) => (length === 32 ? new Uint8Array(32) : random(length));

    const [one, other] = [mint(same), mint(same)];

    expect(one.stored.hash).not.toBe(other.stored.hash);
  });

  it('takes its own secret and no other', () => {
    const { secret: text, stored } = mint();
    const secret = parseApiKey(text)?.secret ?? '';

    fc.assert(
      fc.property(fc.string(), (guess) => {
        fc.pre(guess !== secret);
        expect(secretMatches(stored, guess)).toBe(false);
        expect(secretMatches(null, guess)).toBe(false);
      }),
    );
  });

  const standing = (change: Partial<ApiKey>) => apiKeyStanding({ ...mint().stored, ...change }, NOW);
  const past = new Date(NOW - 1).toISOString();
  const at = new Date(NOW).toISOString();
  const future = new Date(NOW + 1).toISOString();

  it.each([
    ['valid', { expires_at: null }],
    ['valid', { expires_at: future }],
    ['expired', { expires_at: at }],
    ['expired', { expires_at: past }],
    ['revoked', { state: 'revoked' }],
    ['revoked', { state: 'revoked', expires_at: future }],
    ['expired', { state: 'revoked', expires_at: past }],
  ] as const)('is %s with %o', (expected, change) => {
    expect(standing(change)).toBe(expected);
  });

  it('belongs to one kind of environment', () => {
    expect((['production', 'sandbox', 'local'] as const).map(credentialMode)).toEqual([
      'live',
      'test',
      'test',
    ]);
  });
});

describe('a client', () => {
  it('lies in store without its secret', () => {
    const { secret, stored } = mintClient(
      { tenant: TENANT, name: 'ci', scopes: ['ingest:write'] },
      { at: NOW, random: counting() },
    );

    expect(secret).toMatch(/^acs_/);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(4));
    expect(secretMatches(stored, secret)).toBe(true);
  });
});
