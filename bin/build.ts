import { bundleForDeployment, deploymentBundles } from '../tools/build/bundle.ts';
import { functionEntries } from '../tools/build/functionEntries.ts';

const started = performance.now();
await bundleForDeployment(deploymentBundles);
const names = functionEntries.map(({ name }) => name);
console.log(
  `Built ${names.length} functions in ${Math.round(performance.now() - started)} ms: ${names.join(', ')}`,
);
