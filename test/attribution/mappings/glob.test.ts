import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher } from '../../../functions/attribution/mappings/glob.ts';

describe('globMatcher', () => {
  it.each([
    ['search', 'search', true],
    ['search', 'Search', false],
    ['search', 'search2', false],
    ['*', '', true],
    ['*', 'anything/at all', true],
    ['search*', 'search', true],
    ['*search', 'team-search', true],
    ['*search', 'search-team', false],
    ['team-*-eu', 'team-search-eu', true],
    ['team-*-eu', 'team-eu', false],
    ['a*a', 'a', false],
    ['a**a', 'aa', true],
    ['*ab*ab*', 'abab', true],
    ['*ab*ab*', 'aba', false],
    ['ranker-?', 'ranker-1', true],
    ['ranker-?', 'ranker-', false],
    ['ranker-?', 'ranker-12', false],
    ['?*?', 'a', false],
    ['?*?', 'ab', true],
    ['a?c', 'a/c', true],
    ['spiffe://*/ns/search/*', 'spiffe://prod.example.org/ns/search/sa/ranker', true],
    ['spiffe://*/ns/search/*', 'spiffe://prod.example.org/eu/ns/search/sa/ranker', true],
    ['spiffe://*/ns/search/*', 'spiffe://prod.example.org/ns/billing/sa/ranker', false],
  ])('matches %s against %s: %s', (pattern, text, expected) => {
    expect(globMatcher(pattern)(text)).toBe(expected);
  });

  it('treats everything except wildcards literally', () => {
    const special = 'a.b+c(d)[e]{f}^g$h|i\\j';

    expect(globMatcher(special)(special)).toBe(true);
    expect(globMatcher('a.b')('axb')).toBe(false);
  });

  it('counts an emoji as one character', () => {
    expect([globMatcher('team-?')('team-🔎'), globMatcher('team-??')('team-🔎')]).toEqual([true, false]);
  });

  it('keeps no state between texts', () => {
    const matches = globMatcher('a?*c');

    expect(['abc', 'a', 'abc', 'xbc', 'abbbc'].map(matches)).toEqual([true, false, true, false, true]);
  });

  // A backtracking matcher would take exponential time on these patterns.
  it.each([
    ['*a'.repeat(64), `${'a'.repeat(511)}b`, false],
    [`${'*?a'.repeat(42)}b`, 'a'.repeat(512), false],
    [`${'a*'.repeat(63)}b`, 'a'.repeat(512), false],
    ['*'.repeat(128), 'a'.repeat(512), true],
    [`*${'?'.repeat(127)}`, 'a'.repeat(512), true],
  ])('terminates for the pattern %.12s…', (pattern, text, expected) => {
    expect(globMatcher(pattern)(text)).toBe(expected);
  });

  /** A recursive reference implementation: the rest of the pattern against the rest of the text. */
  const byDefinition = (pattern: readonly string[], text: readonly string[]): boolean => {
    const [token, ...laterTokens] = pattern;
    const [character, ...laterText] = text;
    if (token === undefined) return character === undefined;
    if (token === '*') {
      return byDefinition(laterTokens, text) || (character !== undefined && byDefinition(pattern, laterText));
    }
    return (
      character !== undefined &&
      (token === '?' || token === character) &&
      byDefinition(laterTokens, laterText)
    );
  };

  it('agrees with a reference implementation', () => {
    const letter = fc.constantFrom('a', 'b', '🔎');
    const pattern = fc.array(fc.oneof(letter, fc.constantFrom('*', '?')), { maxLength: 10 });
    const text = fc.array(letter, { maxLength: 10 });

    fc.assert(
      fc.property(pattern, text, (tokens, characters) => {
        expect(globMatcher(tokens.join(''))(characters.join(''))).toBe(byDefinition(tokens, characters));
      }),
      { numRuns: 3_000 },
    );
  });

  it('matches any text generated from the pattern', () => {
    const part = fc.oneof(
      fc.stringMatching(/^[a-c/]{1,20}$/).map((text) => ({ pattern: text, text })),
      fc.stringMatching(/^[a-c/]$/).map((text) => ({ pattern: '?', text })),
      fc.stringMatching(/^[a-c/]{0,20}$/).map((text) => ({ pattern: '*', text })),
    );

    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const join = (member: 'pattern' | 'text') => parts.map((one) => one[member]).join('');
        const [pattern, text] = [join('pattern'), join('text')];
        expect(globMatcher(pattern)(text)).toBe(true);
        expect(globMatcher(`${pattern}z`)(text)).toBe(false);
      }),
    );
  });
});
