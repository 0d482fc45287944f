import { cachedFolder } from './buildCache.ts';
import { bundleForDeployment } from './bundle.ts';
import { addConsole, cachedConsole, consoleKey } from './consoleBuild.ts';
import { sourceKey } from './sourceKey.ts';

/** The folder of the bundles as they are deployed, from the cache. Tests and benchmarks use it. */
export const cachedDeploymentBundles = async (): Promise<string> => {
  const builtConsole = await cachedConsole();
  return cachedFolder(`deployment-${sourceKey()}-${consoleKey()}`, async (folder) => {
    await bundleForDeployment(folder);
    addConsole(builtConsole, folder);
  });
};
