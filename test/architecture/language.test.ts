import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bannedWordIn, bannedWords, wordsOf } from './bannedWords.ts';

const banned = bannedWords();
const files = globSync(
  '{bench,bin,console/src,examples,functions,lib,local,schemas,sdk,test,tools}/**/*.{ts,tsx}',
).filter(
  // The rule and its own test name the words.
  (path) => !path.startsWith('test/architecture/'),
);

/** What is neither a comment nor a string. */
const codeOf = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/\/\/.*$/gm, '');

const identifiersOf = (text: string): string[] => [...new Set(codeOf(text).match(/[A-Za-z_$][\w$]*/g))];

const titlesOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:describe|it|test)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])([\s\S]*?)\1,/g)].map(
    ([, , title = '']) => title,
  );

describe('names and titles', () => {
  it('finds the words that CONTRIBUTING.md rejects', () => {
    expect(banned).toContain('onion');
    expect(banned).toContain('turned away');
  });

  it('uses no banned word in a file name', () => {
    expect(files.filter((path) => bannedWordIn(wordsOf(path.replace(/\.tsx?$/, '')), banned))).toEqual([]);
  });

  it('uses no banned word in an identifier', () => {
    const found = files.flatMap((path) =>
      identifiersOf(readFileSync(path, 'utf8')).flatMap((identifier) => {
        const word = bannedWordIn(wordsOf(identifier), banned);
        return word === undefined ? [] : [`${path}: ${identifier} (see "${word}" in CONTRIBUTING.md)`];
      }),
    );

    expect(found).toEqual([]);
  });

  it('uses no banned word in a test title', () => {
    const found = files
      .filter((path) => path.endsWith('.test.ts'))
      .flatMap((path) =>
        titlesOf(readFileSync(path, 'utf8')).flatMap((title) => {
          const word = bannedWordIn(wordsOf(title), banned);
          return word === undefined ? [] : [`${path}: "${title}" (see "${word}" in CONTRIBUTING.md)`];
        }),
      );

    expect(found).toEqual([]);
  });

  it.each(['openOnion', 'ONION_STEPS', 'turnedAway', 'turned_away', 'tallies', 'tally'])(
    'detects the banned word in %s only as a whole word',
    (identifier) => {
      expect(bannedWordIn(wordsOf(identifier), banned) !== undefined).toBe(identifier !== 'tallies');
    },
  );

  it('accepts a word that merely contains a banned one', () => {
    expect(bannedWordIn(wordsOf('totallyDifferent'), banned)).toBeUndefined();
  });
});
