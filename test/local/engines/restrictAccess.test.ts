import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { restrictAccess } from '../../../local/engines/restrictAccess.ts';

const OPEN_UMASK = 0o000;

let parent: string;
let umask: number;

beforeEach(() => {
  umask = process.umask(OPEN_UMASK);
  parent = mkdtempSync(join(tmpdir(), 'access-'));
});

afterEach(() => {
  process.umask(umask);
});

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** The modes of everything in a directory, by name. */
const modesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => [
      name,
      modeOf(join(directory, name)),
    ]),
  );

it('creates a data directory that only its owner can open, whatever the umask of the shell is', () => {
  const path = join(parent, 'data', 'directory');

  const data = lockDataDirectory(path);
  writeFileSync(data.join('credentials.json'), '{}');
  mkdirSync(data.join('buckets'));
  data.release();

  expect(modeOf(path)).toBe('700');
  expect(modesIn(path)).toMatchObject({
    lock: '600',
    logs: '700',
    'credentials.json': '600',
    buckets: '700',
  });
});

it('restricts a data directory that an earlier start left readable for everybody', () => {
  mkdirSync(join(parent, 'buckets', 'exports'), { recursive: true });
  for (const name of ['lock', 'credentials.json', 'keys.json', 'buckets/exports/part.csv']) {
    writeFileSync(join(parent, name), '');
  }
  writeFileSync(join(parent, 'program'), '', { mode: 0o755 });
  chmodSync(parent, 0o755);

  restrictAccess(parent);

  expect(modeOf(parent)).toBe('700');
  expect(modesIn(parent)).toEqual({
    lock: '600',
    'credentials.json': '600',
    'keys.json': '600',
    program: '700',
    buckets: '700',
    'buckets/exports': '700',
    'buckets/exports/part.csv': '600',
  });
});

it('does not change what a symbolic link points to', () => {
  const target = join(parent, 'target');
  writeFileSync(target, '');
  const data = join(parent, 'data');
  mkdirSync(data);
  symlinkSync(target, join(data, 'link'));
  writeFileSync(join(data, 'lock'), '');

  restrictAccess(data);

  expect(modeOf(target)).toBe('666');
});

it('refuses a shared directory of another program and changes nothing in it', () => {
  chmodSync(parent, 0o755);
  writeFileSync(join(parent, 'notes.txt'), '');

  expect(() => lockDataDirectory(parent)).toThrow('holds files of another program');

  expect(statSync(parent).mode & 0o777).toBe(0o755);
  expect(modesIn(parent)).toEqual({ 'notes.txt': '666' });
  expect(existsSync(join(parent, 'lock'))).toBe(false);
});
