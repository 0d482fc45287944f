import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { cachedFolder } from './buildCache.ts';
import { bundleForDeployment } from './bundle.ts';
import { addConsole, cachedConsole, consoleKey } from './consoleBuild.ts';
import { addNativePackages, cachedNativePackages } from './nativePackages.ts';
import { sourceKey } from './sourceKey.ts';

/**
 * The folder of the bundles, from the cache. Tests and benchmarks use it, with the native packages of this machine.
 */
export const cachedDeploymentBundles = async (): Promise<string> => {
  const builtConsole = await cachedConsole();
  return cachedFolder(`deployment-${sourceKey()}-${consoleKey()}`, async (folder) => {
    await bundleForDeployment(folder);
    addConsole(builtConsole, folder);
  });
};

/** The folder of the bundles with the native packages of Lambda, from the cache. */
export const cachedDeployableBundles = async (): Promise<string> => {
  const bundles = await cachedDeploymentBundles();
  const packages = await cachedNativePackages(bundles);
  return cachedFolder(`deployable-${basename(bundles)}`, async (folder) => {
    cpSync(bundles, folder, { recursive: true });
    addNativePackages(packages, folder);
  });
};
