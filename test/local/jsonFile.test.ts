import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../local/jsonFile.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const Content = z.object({ key: z.string() });

it('keeps the old content of a file that cannot be replaced, as with a full disk', () => {
  const file = join(temporaryDirectory(), 'credentials.json');
  writeJsonFile(file, { key: 'old' });
  // Where the new content is written first.
  mkdirSync(`${file}.new`);

  expect(() => writeJsonFile(file, { key: 'new' })).toThrow('EISDIR');
  expect(readJsonFile(file, Content)).toEqual({ key: 'old' });
});

it('lets only the owner read the file', () => {
  const file = join(temporaryDirectory(), 'credentials.json');
  writeJsonFile(file, { key: 'secret' });

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain('"key": "secret"');
});
