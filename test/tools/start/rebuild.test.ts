import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rebuildIfChanged } from '../../../tools/start/rebuild.ts';
import { temporaryDirectory } from '../../support/instance.ts';

const WRITTEN = new Date('2026-11-20T10:00:00Z');

describe('the functions of a data directory', () => {
  let directory: string;
  let outdir: string;
  let source: string;
  let list: string;
  let bundled: number;
  /** What comes about while the next bundle is made. */
  let meanwhile: () => void;
  const bundle = async () => {
    bundled += 1;
    mkdirSync(outdir, { recursive: true });
    writeFileSync(join(outdir, 'one.meta.json'), JSON.stringify({ inputs: { [source]: { bytes: 1 } } }));
    meanwhile();
    return ['one'];
  };
  const editedAt = (time: Date) => utimesSync(source, time, time);

  beforeEach(async () => {
    directory = temporaryDirectory();
    [outdir, source] = [join(directory, 'dist'), join(directory, 'source.ts')];
    list = join(outdir, 'inputs.json');
    [bundled, meanwhile] = [0, () => undefined];
    writeFileSync(source, 'export const one = 1;');
    editedAt(WRITTEN);
    await rebuildIfChanged(outdir, bundle);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('are not bundled again from the same sources', async () => {
    expect([await rebuildIfChanged(outdir, bundle), bundled]).toEqual([false, 1]);
  });

  test.each<[string, () => void]>([
    [
      'a source has another size',
      () => {
        writeFileSync(source, 'export const one = 10;');
        editedAt(WRITTEN);
      },
    ],
    ['a source was changed', () => editedAt(new Date(WRITTEN.getTime() + 1))],
    ['the list of sources was cut off', () => writeFileSync(list, readFileSync(list, 'utf8').slice(0, -5))],
    ['there is no list', () => rmSync(list)],
    ['the folder is gone', () => rmSync(outdir, { recursive: true })],
  ])('are bundled again, once, where %s', async (_, change) => {
    change();

    expect([await rebuildIfChanged(outdir, bundle), await rebuildIfChanged(outdir, bundle), bundled]).toEqual(
      [true, false, 2],
    );
  });

  test('are bundled again the next time where a source was changed meanwhile', async () => {
    rmSync(list);
    meanwhile = () => editedAt(new Date(Date.now() + 1_000));

    await rebuildIfChanged(outdir, bundle);

    expect(existsSync(list)).toBe(false);
  });

  test('follow from their own sources, from what they depend on, and from how they are bundled', async () => {
    const real = join(directory, 'real');

    const made = [await rebuildIfChanged(real), await rebuildIfChanged(real)];

    expect(made).toEqual([true, false]);
    expect(Object.keys(JSON.parse(readFileSync(join(real, 'inputs.json'), 'utf8')))).toEqual(
      expect.arrayContaining([
        'functions/attribution/attribute.ts',
        'schemas/events.ts',
        'node_modules/zod/v4/core/core.js',
        'package-lock.json',
        'bin/build.ts',
      ]),
    );
  });
});
