import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SettingsInput } from '../../lib/settings.ts';
import { Template } from '../../local/template/template.ts';
import { assemblyNames, TEMPLATE } from './assemblyNames.ts';
import { lookUp } from './buildCache.ts';

/** What the runtime starts. Asset paths in the template are relative to the folder of bundles. */
export interface LocalAssembly {
  readonly template: Template;
  readonly assemblyDir: string;
}

const root = resolve(import.meta.dirname, '../..');
const BUILD_PROGRAM = join(root, 'bin/prepare.ts');

/** CDK and esbuild need 160 MB and seconds to load, so they run in a process of their own, and only on a cache miss. */
const build = (settings: SettingsInput): Promise<void> =>
  new Promise((done, failed) => {
    execFile(
      process.execPath,
      [BUILD_PROGRAM, JSON.stringify(settings)],
      { cwd: root },
      (error, _, stderr) =>
        error ? failed(new Error(`The build failed:\n${stderr}`, { cause: error })) : done(),
    );
  });

const cachedAssembly = (settings: SettingsInput): LocalAssembly | null => {
  const names = assemblyNames(settings);
  const assemblyDir = lookUp(names.bundles);
  const folder = lookUp(names.template);
  if (assemblyDir === null || folder === null) return null;
  return { template: Template.parse(JSON.parse(readFileSync(join(folder, TEMPLATE), 'utf8'))), assemblyDir };
};

/**
 * The bundles and the template of the stack for these settings. Both are built once for a state of the sources, and then
 * come from the cache of this checkout. `report` is called before a build. Rejects with the error output of a failed build.
 */
export const localAssembly = async (
  settings: SettingsInput,
  report: () => void = () => undefined,
): Promise<LocalAssembly> => {
  const cached = cachedAssembly(settings);
  if (cached !== null) return cached;
  report();
  await build(settings);
  const built = cachedAssembly(settings);
  if (built === null) throw new Error('A source file changed during the build. Start again.');
  return built;
};
