import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignIn } from '../../../../functions/identity/access/grants/grant.ts';
import type { User } from '../../../../functions/identity/access/principals/user.ts';
import { createGrant, type IdentityClaims } from '../../../../functions/identity/oauth/signIn/createGrant.ts';
import { roleNames } from '../../../../schemas/identity/roles.ts';
import { scopeNames } from '../../../../schemas/identity/scopes.ts';

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
    const requested = fc.uniqueArray(fc.constantFrom(...scopeNames), { minLength: 1 });

    fc.assert(
      fc.property(requested, fc.constantFrom(...roleNames), (scopes, role) => {
        const result = grant({ signIn: { scopes }, user: { role } });

        if ('error' in result) expect(result).toMatchObject({ error: 'access_denied' });
        else {
          expect(result.scopes.length).toBeGreaterThan(0);
          expect(scopes).toEqual(expect.arrayContaining(result.scopes));
        }
      }),
    );
  });

  it.each([
    ['an unknown user', null, 'INVALID_CREDENTIALS'],
    ['a removed user', { ...user, removed_at: '2026-02-01T00:00:00.000Z' }, 'INVALID_CREDENTIALS'],
    ['a user whose role allows nothing of it', { ...user, role: 'viewer' as const }, 'INSUFFICIENT_SCOPE'],
  ])('returns access_denied with an audit code for %s', (_, found, refusal) => {
    const asking = { ...signIn, scopes: ['admin:config' as const] };

    expect(createGrant(asking, person, found, context)).toMatchObject({ error: 'access_denied', refusal });
  });
});

describe('the sign-in time', () => {
  const SKEW = 60_000;

  it.each<[string, number | null, number | null, boolean]>([
    ['sufficient at any age if no recent sign-in is requested', null, NOW - 365 * DAY, true],
    ['sufficient if it is unknown and no recent sign-in is requested', null, null, true],
    ['sufficient at the requested time', NOW - 900_000, NOW - 900_000, true],
    ['sufficient within the clock skew before the requested time', NOW - 900_000, NOW - 900_000 - SKEW, true],
    ['insufficient before the clock skew', NOW - 900_000, NOW - 900_000 - SKEW - 1, false],
    ['insufficient if it is unknown', NOW - 900_000, null, false],
    ['insufficient before a request for a new sign-in', NOW, NOW - SKEW - 1, false],
  ])('is %s', (_, signed_in_since, signedInAt, isSufficient) => {
    const result = grant({ signIn: { signed_in_since }, person: { signedInAt } });

    expect('error' in result ? result.error : null).toBe(isSufficient ? null : 'login_required');
  });

  it.each([
    ['0 if it is unknown', null, 0],
    ['the current time if it is in the future', NOW + DAY, NOW],
    ['its value in all other cases', NOW - 5_000, NOW - 5_000],
  ])('is stored as %s', (_, signedInAt, expected) => {
    expect(grant({ person: { signedInAt } })).toMatchObject({ signed_in_at: expected });
  });
});
