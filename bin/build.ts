import { cachedDeployableBundles } from '../tools/build/deploymentBundles.ts';

// The CDK command builds by itself. This only shows compile errors earlier, and where the bundles are.
console.info(`The functions are built in ${await cachedDeployableBundles()}`);
