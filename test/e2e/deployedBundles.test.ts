import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { embeddedLocations } from '../../local/engines/engines.ts';
import { variablesOf } from '../../local/lambda/variables.ts';
import { readStack } from '../../local/template/stack.ts';
import { cachedDeploymentBundles } from '../../tools/build/deploymentBundles.ts';
import { localAssembly } from '../../tools/build/localAssembly.ts';
import { call, someEvent } from '../support/client.ts';
import { startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';

// All other tests run the bundles for this machine, in which functions share files. These are the bundles to deploy.
const bundles = await cachedDeploymentBundles();

it('creates a record from an accepted event with the bundles to deploy', async () => {
  const instance = await startInstance({ bundles });
  onTestFinished(() => instance.stop());
  const { api_keys: keys } = demoTenants(instance.credentials).acme;
  const event = someEvent({ region: 'us-east-1' });

  const accepted = await call(instance.baseUrl, '/api/v1/invocations', { key: keys.ingest, body: event });
  await instance.runtime.idle();
  const records = await call(instance.baseUrl, '/v1/attribution', { key: keys.read });

  expect(accepted.status).toBe(202);
  expect(records.body).toMatchObject({ data: [{ event_id: event['event_id'], owner: 'team-search' }] });
});

/** Loads a module in a thread of its own and resolves to the type of its handler. */
const handlerTypeOf = async (file: string, env: Record<string, string>): Promise<unknown> => {
  const script = `import(${JSON.stringify(pathToFileURL(file).href)}).then((module) =>
    require('node:worker_threads').parentPort.postMessage(typeof module.handler));`;
  const worker = new Worker(script, { eval: true, env });
  try {
    return await new Promise((done, failed) => worker.once('error', failed).once('message', done));
  } finally {
    await worker.terminate();
  }
};

it('exports a handler from every bundle to deploy', async () => {
  const { template } = await localAssembly({ environment: 'local' });
  const local = 'http://127.0.0.1:1';
  const { functions } = readStack(template, bundles, embeddedLocations(local, local, local));

  const types = new Map<string, unknown>();
  for (const declaration of functions) {
    types.set(declaration.logicalId, await handlerTypeOf(declaration.file, variablesOf(declaration, {})));
  }

  expect(types.size).toBeGreaterThan(20);
  expect([...types].filter(([, type]) => type !== 'function')).toEqual([]);
});
