import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rebuildIfChanged } from '../../../tools/start/rebuild.ts';
import { temporaryDirectory } from '../../support/instance.ts';

const WRITTEN_AT = new Date('2026-11-20T10:00:00Z');

describe('rebuildIfChanged', () => {
  let directory: string;
  let outdir: string;
  let source: string;
  let list: string;
  let buildCount: number;
  /** Runs during the next build, after the bundle is written. */
  let duringBuild: () => void;
  const bundle = async () => {
    buildCount += 1;
    mkdirSync(outdir, { recursive: true });
    writeFileSync(join(outdir, 'one.meta.json'), JSON.stringify({ inputs: { [source]: { bytes: 1 } } }));
    duringBuild();
    return ['one'];
  };
  const editedAt = (time: Date) => utimesSync(source, time, time);

  beforeEach(async () => {
    directory = temporaryDirectory();
    [outdir, source] = [join(directory, 'dist'), join(directory, 'source.ts')];
    list = join(outdir, 'inputs.json');
    [buildCount, duringBuild] = [0, () => undefined];
    writeFileSync(source, 'export const one = 1;');
    editedAt(WRITTEN_AT);
    await rebuildIfChanged(outdir, bundle);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('does not build again when no source changed', async () => {
    expect([await rebuildIfChanged(outdir, bundle), buildCount]).toEqual([false, 1]);
  });

  test.each<[string, () => void]>([
    [
      'a source has another size',
      () => {
        writeFileSync(source, 'export const one = 10;');
        editedAt(WRITTEN_AT);
      },
    ],
    ['a source has another modification time', () => editedAt(new Date(WRITTEN_AT.getTime() + 1))],
    ['the list of sources is truncated', () => writeFileSync(list, readFileSync(list, 'utf8').slice(0, -5))],
    ['the list of sources is missing', () => rmSync(list)],
    ['the output folder is missing', () => rmSync(outdir, { recursive: true })],
  ])('builds again once when %s', async (_, change) => {
    change();

    expect([
      await rebuildIfChanged(outdir, bundle),
      await rebuildIfChanged(outdir, bundle),
      buildCount,
    ]).toEqual([true, false, 2]);
  });

  test('writes no list of sources when a source changes during the build', async () => {
    rmSync(list);
    duringBuild = () => editedAt(new Date(Date.now() + 1_000));

    await rebuildIfChanged(outdir, bundle);

    expect(existsSync(list)).toBe(false);
  });

  test('lists the sources, the dependencies and the build script as inputs', async () => {
    const real = join(directory, 'real');

    const rebuilt = [await rebuildIfChanged(real), await rebuildIfChanged(real)];

    expect(rebuilt).toEqual([true, false]);
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
