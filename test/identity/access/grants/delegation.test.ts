import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  delegatedScopes,
  isSameActiveUser,
} from '../../../../functions/identity/access/grants/delegation.ts';
import type { User } from '../../../../functions/identity/access/principals/user.ts';
import { roleNames, roles } from '../../../../schemas/identity/roles.ts';
import { type Scope, scopeNames } from '../../../../schemas/identity/scopes.ts';

const someScopes = fc.uniqueArray(fc.constantFrom(...scopeNames));

describe('delegatedScopes', () => {
  it('returns exactly the scopes that are granted, held by the client and in the role of the user', () => {
    fc.assert(
      fc.property(someScopes, someScopes, fc.constantFrom(...roleNames), (granted, scopes, role) => {
        const given = new Set(delegatedScopes(granted, { scopes }, { role }));
        const allowed: readonly Scope[] = roles[role];

        for (const scope of scopeNames) {
          const isAll = granted.includes(scope) && scopes.includes(scope) && allowed.includes(scope);
          expect(given.has(scope)).toBe(isAll);
        }
      }),
    );
  });
});

describe('isSameActiveUser', () => {
  const user: User = {
    user_id: 'usr_1',
    tenant_id: 'acme',
    email: 'ada@example.org',
    role: 'admin',
    created_at: '2026-01-01T00:00:00.000Z',
    removed_at: null,
  };

  it.each<[string, User | null, boolean]>([
    ['an active user', user, true],
    ['an unknown user', null, false],
    ['a removed user', { ...user, removed_at: '2026-01-02T00:00:00.000Z' }, false],
    ['a later user with the same address', { ...user, user_id: 'usr_2' }, false],
  ])('%s: is the same active user: %3$s', (_, found, expected) => {
    expect(isSameActiveUser(found, 'usr_1')).toBe(expected);
  });
});
