import { localAssembly } from '../../tools/build/localAssembly.ts';

/** Bundles the functions once before the tests, so that no test waits for it. Does nothing if the sources are unchanged. */
export default async function buildOnce(): Promise<void> {
  await localAssembly({ environment: 'local' });
}
