import { describe, expect, it } from 'vitest';
import { requireAuthorityOver } from '../../../functions/identity/credentials/authority.ts';
import { grantableScopes } from '../../../functions/identity/credentials/rights.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';

type Rule = typeof requireAuthorityOver;
type Target = Parameters<Rule>[1];

/** All 2^7 sets of scopes. */
const scopeSets: Scope[][] = Array.from({ length: 2 ** scopeNames.length }, (_, bits) =>
  scopeNames.filter((_name, index) => (bits >> index) % 2 === 1),
);

/** The error code of a rule. Null if the rule allows the call. */
const refusalOf = (decide: () => unknown): unknown => {
  try {
    decide();
    return null;
  } catch (error) {
    return Object(error).code;
  }
};
const meet = (rule: Rule, scopes: readonly Scope[], residency: string | null, target: Target) =>
  refusalOf(() => rule({ scopes: new Set(scopes), residency }, target));

const isSubset = (part: readonly Scope[], whole: readonly Scope[]) =>
  part.every((scope) => whole.includes(scope));

describe('authority over a credential', () => {
  it('is given exactly when the caller has every scope of the target, for all 2^7 × 2^7 pairs', () => {
    const wrong = scopeSets.flatMap((held) =>
      scopeSets.flatMap((scopes) => {
        const expected = isSubset(scopes, held) ? null : 'INSUFFICIENT_SCOPE';
        const actual = meet(requireAuthorityOver, held, null, { scopes, residency: null });
        return actual === expected ? [] : [{ held, scopes, actual }];
      }),
    );

    expect(wrong).toEqual([]);
  });

  it('is given over a set of scopes exactly when the caller may create a credential with it', () => {
    const wrong = scopeSets.flatMap((held) =>
      scopeSets.slice(1).flatMap((scopes) => {
        const created = refusalOf(() => grantableScopes({ scopes: new Set(held) }, scopes));
        const administered = meet(requireAuthorityOver, held, null, { scopes, residency: null });
        return created === administered ? [] : [{ held, scopes }];
      }),
    );

    expect(wrong).toEqual([]);
  });

  it.each([
    [null, null, null],
    [null, 'eu', null],
    ['eu', 'eu', null],
    ['eu', null, 'RESIDENCY_BLOCKED'],
    ['eu', 'us', 'RESIDENCY_BLOCKED'],
    ['eu', 'EU', 'RESIDENCY_BLOCKED'],
  ])('for a caller bound to %j over a target bound to %j: %j', (bound, residency, expected) => {
    expect(meet(requireAuthorityOver, scopeNames, bound, { scopes: scopeNames, residency })).toBe(expected);
  });
});

it('is given to a user with the role admin over every credential of the tenant', () => {
  const wrong = ['eu', null].flatMap((residency) =>
    scopeSets.filter(
      (scopes) => meet(requireAuthorityOver, roles.admin, null, { scopes, residency }) !== null,
    ),
  );

  expect(wrong).toEqual([]);
});
