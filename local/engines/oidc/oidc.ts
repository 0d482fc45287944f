import * as z from 'zod';
import { startThread } from '../../startThread.ts';
import type { ClientDeclaration } from '../../template/userPools.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';

/** The local replacement for a Cognito user pool. Its URL is the OpenID Connect issuer. */
export interface IdentityProviderEngine extends Engine {
  /** Starts to answer requests, for these clients. Earlier requests wait for this call. */
  serve(clients: ClientDeclaration[]): void;
}

const Started = z.object({ port: z.number() });

/**
 * Starts the provider on its port. A data directory keeps its port while that port is free, so the issuer does not change.
 * The provider runs in its own thread because library loading and password hashing would block the gateway.
 */
export async function startIdentityProvider(
  data: DataDirectory,
  log: (line: string) => void,
): Promise<IdentityProviderEngine> {
  const worker = startThread(new URL('./oidc.worker.ts', import.meta.url), {
    workerData: { dataDir: data.path },
  });
  const { port } = await new Promise<z.infer<typeof Started>>((resolve, reject) => {
    worker.once('message', (message) => resolve(Started.parse(message)));
    worker.once('error', reject);
  });
  worker.on('error', (error) =>
    log(`The identity provider exited unexpectedly. Restart the service. Cause: ${String(error)}`),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (clients) => worker.postMessage(clients),
    async stop() {
      await worker.terminate();
    },
  };
}
