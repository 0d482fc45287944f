import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AuthorizationCode } from '../../../functions/identity/access/grants/grant.ts';
import { challengeOf } from '../../../functions/identity/oauth/pkce.ts';
import { validateAuthorizationCode } from '../../../functions/identity/oauth/validateAuthorizationCode.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const VERIFIER = 'a'.repeat(43);
const presented = { clientId: 'cli_1', redirectUri: 'https://app.example.com/', codeVerifier: VERIFIER };

const code: AuthorizationCode = {
  grant: {
    grant_id: 'grt_1',
    client_id: 'cli_1',
    tenant_id: 'acme',
    tenant_tag: 'k3vcq2mc',
    user_id: 'usr_1',
    email: 'ada@example.org',
    scopes: ['read:attribution'],
    signed_in_at: NOW,
    refresh: null,
    expires_at: NOW + 1_000_000,
    revoked_at: null,
  },
  redirect_uri: presented.redirectUri,
  code_challenge: challengeOf(VERIFIER),
  expires_at: NOW + 1,
  used: false,
};

it.each<
  [string, AuthorizationCode | null, Partial<typeof presented>, ReturnType<typeof validateAuthorizationCode>]
>([
  ['valid for an unused code', code, {}, 'valid'],
  ['invalid when the code expires', { ...code, expires_at: NOW }, {}, 'invalid'],
  ['replayed for a used code', { ...code, used: true }, {}, 'replayed'],
  ['replayed for a used and expired code', { ...code, used: true, expires_at: 0 }, {}, 'replayed'],
  ['invalid for an unknown code', null, {}, 'invalid'],
  ['invalid for another client', code, { clientId: 'cli_2' }, 'invalid'],
  ['invalid for another redirect URI', code, { redirectUri: 'https://app.example.com' }, 'invalid'],
  ['invalid for another verifier', code, { codeVerifier: 'b'.repeat(43) }, 'invalid'],
])('validateAuthorizationCode returns %s', (_, stored, change, expected) => {
  expect(validateAuthorizationCode(stored, { ...presented, ...change }, NOW)).toBe(expected);
});

it('validateAuthorizationCode returns invalid without the right client, redirect URI and verifier, used or not', () => {
  const text = fc.string({ maxLength: 50 });
  const wrong = fc
    .record({ clientId: text, redirectUri: text, codeVerifier: text }, { requiredKeys: [] })
    .filter((change) => Object.keys(change).length > 0);

  fc.assert(
    fc.property(wrong, fc.boolean(), (change, used) => {
      expect(validateAuthorizationCode({ ...code, used }, { ...presented, ...change }, NOW)).toBe('invalid');
    }),
  );
});
