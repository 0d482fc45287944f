import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { dataDirectoryProblem } from '../../../tools/doctor/dataDirectory.ts';

const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'file'), '');

it.each(['.', 'new', 'new/below/it'])('a folder that can be written or made is no problem: %s', (name) => {
  expect(dataDirectoryProblem(join(folder, name))).toBeNull();
});

it('a file in its place, or above it, is named with the remedy', () => {
  for (const name of ['file', 'file/below'])
    expect(dataDirectoryProblem(join(folder, name))).toMatch(/ is a file\. .*--data-dir/);
});

it.each(['.', 'new', 'new/below/it'])(
  'a folder that this user may not write is named with the remedy: %s',
  (name) => {
    const path = join(folder, name);
    const examined: unknown[] = [];

    // The tests may run as a superuser, to whom the file system refuses nothing.
    const problem = dataDirectoryProblem(path, (existing) => {
      examined.push(existing);
      throw new Error('EACCES');
    });

    expect(problem).toMatch(/^This user cannot write to the data directory .*--data-dir/);
    expect(problem).toContain(path);
    expect(examined).toEqual([folder]);
  },
);
