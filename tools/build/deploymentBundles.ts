import { cachedFolder } from './buildCache.ts';
import { bundleForDeployment } from './bundle.ts';
import { sourceKey } from './sourceKey.ts';

/** The folder of the bundles as they are deployed, from the cache. Tests and benchmarks use it. */
export const cachedDeploymentBundles = (): Promise<string> =>
  cachedFolder(`deployment-${sourceKey()}`, bundleForDeployment);
