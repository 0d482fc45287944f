import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { build } from '../../bin/build.ts';

const root = resolve(import.meta.dirname, '../..');
/** Build inputs besides the bundled sources: the build script, the lists of entries, and the dependency versions. */
const BUILD_INPUTS = [
  'bin/build.ts',
  'package-lock.json',
  'schemas/routes/route.ts',
  'schemas/platform/workers.ts',
];

/** Fingerprints of sources by path: size in bytes, and modification time in milliseconds. */
const Inputs = z.record(z.string(), z.tuple([z.number(), z.number()]));
const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });

const inputsFileOf = (outdir: string): string => join(outdir, 'inputs.json');
const fingerprintOf = async (path: string): Promise<[number, number]> => {
  const { size, mtimeMs } = await stat(resolve(root, path));
  return [size, mtimeMs];
};

const isCurrent = async (outdir: string): Promise<boolean> => {
  try {
    const inputs = Inputs.parse(JSON.parse(await readFile(inputsFileOf(outdir), 'utf8')));
    const same = Object.entries(inputs).map(async ([path, [size, changed]]) => {
      const [sizeNow, changedNow] = await fingerprintOf(path);
      return size === sizeNow && changed === changedNow;
    });
    return (await Promise.all(same)).every(Boolean);
  } catch {
    // The list is missing or incomplete, or a source was deleted.
    return false;
  }
};

/**
 * Bundles every function into a folder, unless the folder is up to date. Bundling takes most of the start time. Resolves to
 * whether it bundled. The list of sources is written last, so an interrupted build is repeated. It is not written if a
 * source changed during the build. Rejects with esbuild's errors.
 */
export const rebuildIfChanged = async (outdir: string, bundle: typeof build = build): Promise<boolean> => {
  if (await isCurrent(outdir)) return false;
  await rm(inputsFileOf(outdir), { force: true });
  const startedAt = Date.now();
  const names = await bundle(outdir);
  const metafiles = names.map(async (name) =>
    Metafile.parse(JSON.parse(await readFile(join(outdir, `${name}.meta.json`), 'utf8'))),
  );
  const paths = (await Promise.all(metafiles)).flatMap(({ inputs }) => Object.keys(inputs));
  const fingerprints = [...new Set([...BUILD_INPUTS, ...paths])].map(
    async (path) => [path, await fingerprintOf(path)] as const,
  );
  const inputs = await Promise.all(fingerprints);
  if (inputs.every(([, [, changed]]) => changed < startedAt)) {
    await writeFile(inputsFileOf(outdir), JSON.stringify(Object.fromEntries(inputs)));
  }
  return true;
};
