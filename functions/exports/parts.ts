import { type Line, StoredLine } from './line.ts';
import { bucketOf } from './period.ts';

/**
 * Lines by the stretch of time they are put together again in, in the order of time. A gathering that is cut short
 * leaves them as parts, one for each bucket.
 */
export const byBucket = (lines: readonly Line[]): ReadonlyMap<number, readonly Line[]> =>
  new Map([...Map.groupBy(lines, ({ key }) => bucketOf(key))].sort(([one], [other]) => one - other));

/** Lines as text, one JSON document each. */
export const writeLines = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(StoredLine.encode(line))}\n`).join('');

/** Lines of such a text. Throws a ZodError or a SyntaxError on anything else. */
export const readLines = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => StoredLine.decode(JSON.parse(line)));
