import { UnreadableFile } from './row.ts';

/** `csv` and `events` have absolute times. The times of a `mooncake` trace are relative to its start. */
export type Format = 'csv' | 'events' | 'mooncake';

/** Detects the format from the start of a file. Throws UnreadableFile for an unsupported format. */
export const detectFormat = (head: string): Format => {
  const [first] = head
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (first === undefined) throw new UnreadableFile('The file is empty.');
  if (first.startsWith('[')) {
    throw new UnreadableFile(
      'The file is a JSON array. Write one JSON object per line instead (JSON Lines).',
    );
  }
  if (!first.startsWith('{')) return 'csv';
  return /"(?:input_length|hash_ids)"\s*:/.test(first) ? 'mooncake' : 'events';
};
