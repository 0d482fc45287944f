import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignIn } from '../../../functions/access/grant.ts';
import type { User } from '../../../functions/access/user.ts';
import { createGrant, type IdentityClaims } from '../../../functions/oauth/signIn/createGrant.ts';
import { roleNames } from '../../../schemas/access/roles.ts';
import { scopeNames } from '../../../schemas/access/scopes.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const context = { now: NOW, grantId: 'grt_1' };

const signIn: SignIn = {
  client_id: 'cli_1',
  tenant_id: 'acme',
  tenant_tag: 'k3vcq2mc',
  redirect_uri: 'https://app.example.com/',
  scopes: ['read:attribution', 'admin:config'],
  state: null,
  code_challenge: 'challenge',
  signed_in_since: null,
  expires_at: NOW + 1,
};
const person: IdentityClaims = { email: 'ada@example.org', signedInAt: NOW - 1_000 };
const user: User = {
  user_id: 'usr_1',
  tenant_id: 'acme',
  email: 'ada@example.org',
  role: 'admin',
  created_at: '2026-01-01T00:00:00.000Z',
  removed_at: null,
};

const grant = (
  change: { signIn?: Partial<SignIn>; person?: Partial<IdentityClaims>; user?: Partial<User> } = {},
) =>
  createGrant(
    { ...signIn, ...change.signIn },
    { ...person, ...change.person },
    { ...user, ...change.user },
    context,
  );

describe('createGrant', () => {
  it('returns a grant for 30 days without a refresh token', () => {
    expect(grant()).toEqual({
      grant_id: 'grt_1',
      client_id: 'cli_1',
      tenant_id: 'acme',
      tenant_tag: 'k3vcq2mc',
      user_id: 'usr_1',
      email: 'ada@example.org',
      scopes: ['read:attribution', 'admin:config'],
      signed_in_at: NOW - 1_000,
      refresh: null,
      expires_at: NOW + 30 * DAY,
      revoked_at: null,
    });
  });

  it('grants the requested scopes that the role allows, and returns an error if none is left', () => {
    const asked = fc.uniqueArray(fc.constantFrom(...scopeNames), { minLength: 1 });

    fc.assert(
      fc.property(asked, fc.constantFrom(...roleNames), (scopes, role) => {
        const given = grant({ signIn: { scopes }, user: { role } });

        if ('error' in given) expect(given).toMatchObject({ error: 'access_denied' });
        else {
          expect(given.scopes.length).toBeGreaterThan(0);
          expect(scopes).toEqual(expect.arrayContaining(given.scopes));
        }
      }),
    );
  });

  it.each([
    ['nobody', null, 'INVALID_CREDENTIALS'],
    ['a removed user', { ...user, removed_at: '2026-02-01T00:00:00.000Z' }, 'INVALID_CREDENTIALS'],
    ['a user whose role allows nothing of it', { ...user, role: 'viewer' as const }, 'INSUFFICIENT_SCOPE'],
  ])('returns access_denied with an audit code for %s', (_, found, refusal) => {
    const asking = { ...signIn, scopes: ['admin:config' as const] };

    expect(createGrant(asking, person, found, context)).toMatchObject({ error: 'access_denied', refusal });
  });
});

describe('a recent sign-in', () => {
  const SKEW = 60_000;

  it.each<[string, number | null, number | null, boolean]>([
    ['any where none is asked for', null, NOW - 365 * DAY, true],
    ['one of an unknown instant where none is asked for', null, null, true],
    ['one at the instant', NOW - 900_000, NOW - 900_000, true],
    ['one within the skew before it', NOW - 900_000, NOW - 900_000 - SKEW, true],
    ['none before that', NOW - 900_000, NOW - 900_000 - SKEW - 1, false],
    ['none of an unknown instant', NOW - 900_000, null, false],
    ['none from before a request for a new one', NOW, NOW - SKEW - 1, false],
  ])('is %s', (_, signed_in_since, signedInAt, isEnough) => {
    const given = grant({ signIn: { signed_in_since }, person: { signedInAt } });

    expect('error' in given ? given.error : null).toBe(isEnough ? null : 'login_required');
  });

  it.each([
    ['an unknown instant as long ago', null, 0],
    ['an instant ahead as now', NOW + DAY, NOW],
    ['any other as it is', NOW - 5_000, NOW - 5_000],
  ])('stores as sign-in time %s', (_, signedInAt, expected) => {
    expect(grant({ person: { signedInAt } })).toMatchObject({ signed_in_at: expected });
  });
});
