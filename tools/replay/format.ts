import { UnreadableFile } from './row.ts';

/** `csv` and `events` carry absolute times; a `mooncake` trace counts from its own beginning. */
export type Format = 'csv' | 'events' | 'mooncake';

/** The format of a file by its beginning, whatever its name. Throws UnreadableFile for what is none of them. */
export const detectFormat = (head: string): Format => {
  const [first] = head
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (first === undefined) throw new UnreadableFile('The file is empty.');
  if (first.startsWith('[')) {
    throw new UnreadableFile('The file is a JSON array; write one object on each line (JSON Lines).');
  }
  if (!first.startsWith('{')) return 'csv';
  return /"(?:input_length|hash_ids)"\s*:/.test(first) ? 'mooncake' : 'events';
};
