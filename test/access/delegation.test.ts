import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delegatedScopes, isSameActiveUser } from '../../functions/access/delegation.ts';
import type { User } from '../../functions/access/user.ts';
import { roleNames, roles } from '../../schemas/access/roles.ts';
import { type Scope, scopeNames } from '../../schemas/access/scopes.ts';

const someScopes = fc.uniqueArray(fc.constantFrom(...scopeNames));

describe('what a client may do for a user', () => {
  it('was granted, is in its own scopes and in the role of the user: all three, and everything that is', () => {
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

  it('never includes what no role has', () => {
    expect(delegatedScopes(['partner:connector'], { scopes: [...scopeNames] }, { role: 'admin' })).toEqual(
      [],
    );
  });
});

describe('a user', () => {
  const user: User = {
    user_id: 'usr_1',
    tenant_id: 'acme',
    email: 'ada@example.org',
    role: 'admin',
    created_at: '2026-01-01T00:00:00.000Z',
    removed_at: null,
  };

  it.each<[string, User | null, boolean]>([
    ['who is there', user, true],
    ['who is not', null, false],
    ['who was removed', { ...user, removed_at: '2026-01-02T00:00:00.000Z' }, false],
    ['who came later under the same address', { ...user, user_id: 'usr_2' }, false],
  ])('%s: still the one who signed in is %3$s', (_, found, expected) => {
    expect(isSameActiveUser(found, 'usr_1')).toBe(expected);
  });
});
