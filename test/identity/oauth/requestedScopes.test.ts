import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestedScopes, suggestedScope } from '../../../functions/identity/oauth/requestedScopes.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';

const someScopes = fc.uniqueArray(fc.constantFrom(...scopeNames), { minLength: 1 });

it('suggests the allowed scope that a name is probably a misspelling of', () => {
  const allowed = ['read:attribution', 'ingest:write'] as const;

  expect(suggestedScope('ingest:write read:atribution', allowed)).toBe('read:attribution');
  expect(suggestedScope('read:reporting', allowed)).toBeUndefined();
  expect(suggestedScope(undefined, allowed)).toBeUndefined();
});

describe('requestedScopes', () => {
  it.each([undefined, '', ' ', '   '])('returns all allowed scopes if none is named: %j', (requested) => {
    expect(requestedScopes(requested, ['ingest:write', 'read:reporting'])).toEqual([
      'ingest:write',
      'read:reporting',
    ]);
  });

  it('returns exactly the requested scopes, or null', () => {
    fc.assert(
      fc.property(someScopes, someScopes, (requested, held) => {
        const given = requestedScopes(requested.join(' '), held);

        if (requested.every((scope) => held.includes(scope))) expect(given).toEqual(requested);
        else expect(given).toBeNull();
      }),
    );
  });

  it('removes duplicates and ignores extra spaces', () => {
    expect(requestedScopes(' ingest:write  ingest:write ', ['ingest:write'])).toEqual(['ingest:write']);
  });

  it.each(['everything', 'INGEST:WRITE', 'ingest:write,read:reporting', 'ingest:write openid', '__proto__'])(
    'are refused as a whole with %j among them',
    (requested) => {
      expect(requestedScopes(requested, [...scopeNames])).toBeNull();
    },
  );
});
