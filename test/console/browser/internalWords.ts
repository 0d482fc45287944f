import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words of the glossary that pages may show: everyday words, and what customers know from the API or their contract. */
const SHOWN: ReadonlySet<string> = new Set([
  'billing period',
  'book',
  'lane',
  'mark',
  'need',
  'person',
  'raise',
  'stream',
  'unit',
]);

/** The words of the glossary that are for those who change the code. Pages use plain words for them. */
export const internalWords = (): readonly string[] => {
  const text = readFileSync(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8');
  const [, glossary = ''] = text.split('### Glossary');
  const [table = ''] = glossary.split('###');
  const words = [...table.matchAll(/^\| ([a-z][\w ,]*?) \|/gm)].map(([, word = '']) => word);
  if (words.length < 20) throw new Error('The glossary of CONTRIBUTING.md was not found.');
  return words.filter((word) => !SHOWN.has(word));
};

/** Internal words that stand in a text, in the singular or the plural. */
export const internalWordsIn = (text: string): string[] =>
  internalWords().filter((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(text));
