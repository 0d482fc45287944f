import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../functions/identity/access/grants/grant.ts';
import { newSecret } from '../../../functions/identity/access/principals/secret.ts';
import {
  formatRefreshToken,
  hashRefreshSecret,
  nextRefreshSecret,
  parseRefreshToken,
  validateRefreshToken,
} from '../../../functions/identity/oauth/refreshToken.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const GRANT_ID = 'grt_k3vcq2mc01ARZ3NDEKTSV4RRFFQ69G5FAV';
const secret = newSecret(randomBytes);

const grant: Grant = {
  grant_id: GRANT_ID,
  client_id: 'cli_1',
  tenant_id: 'acme',
  tenant_tag: 'k3vcq2mc',
  user_id: 'usr_1',
  email: 'ada@example.org',
  scopes: ['read:attribution'],
  signed_in_at: NOW - 60_000,
  refresh: hashRefreshSecret(secret, randomBytes),
  expires_at: NOW + 60_000,
  revoked_at: null,
};

describe('formatRefreshToken and parseRefreshToken', () => {
  it('return the grant and the secret of a token', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const own = newSecret(() => bytes);

        expect(parseRefreshToken(formatRefreshToken(GRANT_ID, own))).toEqual({
          grantId: GRANT_ID,
          secret: own,
        });
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseRefreshToken(text)).toBeNull();
      }),
    );
  });

  const text = formatRefreshToken(GRANT_ID, secret);
  it.each([
    ['another prefix', text.replace('art_', 'ask_')],
    ['another case', text.toUpperCase()],
    ['one character removed', text.slice(0, -1)],
    ['one character added', `${text}0`],
    ['a trailing line break', `${text}\n`],
    ['a leading space', ` ${text}`],
    ['an upper-case tag', text.replace('k3vcq2mc', 'K3VCQ2MC')],
    ['a ULID out of range', text.replace('01ARZ', '81ARZ')],
  ])('return null for a token with %s', (_, changed) => {
    expect(parseRefreshToken(changed)).toBeNull();
  });

  const mine = { clientId: 'cli_1', secret };
  const older = { ...mine, secret: nextRefreshSecret(secret, randomBytes) };
  const forged = { ...mine, secret: newSecret(randomBytes) };
  const others = { ...mine, clientId: 'cli_2' };
  it.each<[string, Grant | null, typeof mine, ReturnType<typeof validateRefreshToken>]>([
    ['returns valid for the current token', grant, mine, 'valid'],
    ['returns reused for a replaced token', grant, older, 'reused'],
    ['returns invalid for a token that was never issued', grant, forged, 'invalid'],
    ['returns invalid for another client', grant, others, 'invalid'],
    [
      'returns invalid for a replaced token of another client',
      grant,
      { ...older, clientId: 'cli_2' },
      'invalid',
    ],
    ['returns invalid without a grant', null, mine, 'invalid'],
    ['returns invalid for a grant without a refresh token', { ...grant, refresh: null }, mine, 'invalid'],
    [
      'returns invalid for a revoked grant',
      { ...grant, revoked_at: '2026-05-01T00:00:00.000Z' },
      mine,
      'invalid',
    ],
    [
      'returns invalid for a replaced token of a revoked grant',
      { ...grant, revoked_at: 'x' },
      older,
      'invalid',
    ],
    [
      'returns valid one millisecond before the grant expires',
      { ...grant, expires_at: NOW + 1 },
      mine,
      'valid',
    ],
    ['returns invalid when the grant expires', { ...grant, expires_at: NOW }, mine, 'invalid'],
  ])('%s', (_, stored, presented, expected) => {
    expect(validateRefreshToken(stored, presented, NOW)).toBe(expected);
  });
});
