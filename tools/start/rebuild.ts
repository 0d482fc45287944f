import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { build } from '../../bin/build.ts';

const root = resolve(import.meta.dirname, '../..');
/** What decides over a build besides the sources it reads: how, of what, and with which dependencies. */
const BUILD_INPUTS = [
  'bin/build.ts',
  'package-lock.json',
  'schemas/routes/route.ts',
  'schemas/platform/workers.ts',
];

/** Sources by path, and how each was found: its size in bytes and when it was changed, in milliseconds. */
const Inputs = z.record(z.string(), z.tuple([z.number(), z.number()]));
const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });

const listOf = (outdir: string): string => join(outdir, 'inputs.json');
const fingerprintOf = async (path: string): Promise<[number, number]> => {
  const { size, mtimeMs } = await stat(resolve(root, path));
  return [size, mtimeMs];
};

const isCurrent = async (outdir: string): Promise<boolean> => {
  try {
    const inputs = Inputs.parse(JSON.parse(await readFile(listOf(outdir), 'utf8')));
    const same = Object.entries(inputs).map(async ([path, [size, changed]]) => {
      const [sizeNow, changedNow] = await fingerprintOf(path);
      return size === sizeNow && changed === changedNow;
    });
    return (await Promise.all(same)).every(Boolean);
  } catch {
    // No list, one cut off by a kill, or a source that is gone.
    return false;
  }
};

/**
 * Bundles every function into a folder, unless they were bundled there from the same sources: bundling takes most of the
 * time of a start. Whether it did. The list of sources is written last, so that what a kill left half done is done anew, and
 * not at all where one was changed meanwhile. Rejects with esbuild's errors.
 */
export const rebuildIfChanged = async (outdir: string, bundle: typeof build = build): Promise<boolean> => {
  if (await isCurrent(outdir)) return false;
  await rm(listOf(outdir), { force: true });
  const began = Date.now();
  const names = await bundle(outdir);
  const metafiles = names.map(async (name) =>
    Metafile.parse(JSON.parse(await readFile(join(outdir, `${name}.meta.json`), 'utf8'))),
  );
  const paths = (await Promise.all(metafiles)).flatMap(({ inputs }) => Object.keys(inputs));
  const found = [...new Set([...BUILD_INPUTS, ...paths])].map(
    async (path) => [path, await fingerprintOf(path)] as const,
  );
  const inputs = await Promise.all(found);
  if (inputs.every(([, [, changed]]) => changed < began)) {
    await writeFile(listOf(outdir), JSON.stringify(Object.fromEntries(inputs)));
  }
  return true;
};
