import { readFileSync } from 'node:fs';

/** `turned_away`, `turnedAway` → `turned away`: an identifier as the words that it is made of. */
export const wordsOf = (identifier: string): string =>
  identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .toLowerCase()
    .trim();

/** The words that CONTRIBUTING.md rejects: the first column of the table under "Words not to use". */
export const bannedWords = (contributing = readFileSync('CONTRIBUTING.md', 'utf8')): string[] => {
  const [, table = ''] = contributing.split('### Words not to use');
  const [section = ''] = table.split('\n## ');
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return [
    ...new Set(
      cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => wordsOf(word))),
    ),
  ];
};

/** The first banned word in a text of separate lower-case words, singular or plural; undefined when there is none. */
export const bannedWordIn = (words: string, banned: readonly string[]): string | undefined =>
  banned.find((word) => new RegExp(`(?:^| )${word}s?(?: |$)`).test(words));
