import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';

const readJson = <Value>(path: string, schema: z.ZodType<Value>): Value =>
  schema.parse(JSON.parse(readFileSync(path, 'utf8')));

const { allowScripts } = readJson(
  'package.json',
  z.object({ allowScripts: z.record(z.string(), z.literal(true)) }),
);
const { packages } = readJson(
  'package-lock.json',
  z.object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) }),
);
const Installed = z.object({ scripts: z.record(z.string(), z.string()).optional() });

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/** Whether npm runs something when it installs the package. A native addon needs no script for that. */
const runsAtInstall = (folder: string): boolean => {
  if (!existsSync(`${folder}/package.json`)) return false;
  const { scripts = {} } = readJson(`${folder}/package.json`, Installed);
  return INSTALL_SCRIPTS.some((name) => name in scripts) || existsSync(`${folder}/binding.gyp`);
};

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

// npm before version 12 runs every install script, whether or not `allowScripts` names its package.
it('no package runs a script at its installation except those that package.json names', () => {
  const folders = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  const running = folders
    .filter(([path, { hasInstallScript = false }]) => hasInstallScript || runsAtInstall(path))
    .map(([path]) => nameOf(path));

  expect([...new Set(running)].sort()).toEqual(Object.keys(allowScripts).sort());
});
