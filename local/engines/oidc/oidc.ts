import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import type { ClientDeclaration } from '../../template/userPools.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';

/** Stands in for a user pool; its URL is the issuer. */
export interface IdentityProviderEngine extends Engine {
  /** Begins to answer, to these clients; requests that came before wait for it. */
  serve(clients: ClientDeclaration[]): void;
}

const Started = z.object({ port: z.number() });

/**
 * Takes the provider's port, the same at every start of a data directory where it is free, so that the issuer stays.
 * It runs in a thread of its own: loading its library and hashing passwords would otherwise hold up the gateway.
 */
export async function startIdentityProvider(
  data: DataDirectory,
  log: (line: string) => void,
): Promise<IdentityProviderEngine> {
  const worker = new Worker(new URL('./oidc.worker.ts', import.meta.url), {
    workerData: { dataDir: data.path },
  });
  const { port } = await new Promise<z.infer<typeof Started>>((resolve, reject) => {
    worker.once('message', (message) => resolve(Started.parse(message)));
    worker.once('error', reject);
  });
  worker.on('error', (error) => log(`The identity provider ended unexpectedly: ${String(error)}`));
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (clients) => worker.postMessage(clients),
    async stop() {
      await worker.terminate();
    },
  };
}
