import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../jsonFile.ts';
import { portOf } from '../freePort.ts';
import { oidcFiles } from './oidcFiles.ts';
import { openOidcKeys } from './oidcKeys.ts';
import type { OidcHandler } from './oidcProvider.ts';
import { openUsers } from './oidcUsers.ts';

const { dataDir } = z.object({ dataDir: z.string() }).parse(workerData);
const files = oidcFiles(dataDir);

const Clients = z.array(
  z.object({
    id: z.string(),
    redirectUris: z.array(z.string()),
    signOutUris: z.array(z.string()),
    scopes: z.array(z.string()),
  }),
);
const registeredClients = new Promise<z.output<typeof Clients>>((resolve) =>
  parentPort?.once('message', (clients) => resolve(Clients.parse(clients))),
);

/** Loads the library at the first sign-in. Most runs never need it; it takes about 45 MB and delays the start. */
const openProvider = async (): Promise<OidcHandler> => {
  const { openOidcProvider } = await import('./oidcProvider.ts');
  return openOidcProvider({
    issuer: `http://${host()}`,
    clients: await registeredClients,
    keys: await openOidcKeys(files.keys),
    users: openUsers(files.users),
  });
};

let provider: Promise<OidcHandler> | undefined;
const server = createServer(async (request, response) => {
  try {
    provider ??= openProvider();
    const handle = await provider;
    // The library builds URLs from the Host header. DNS rebinding lets a hostile page set it, so other hosts get 421.
    if (request.headers.host === host()) await handle(request, response);
    else response.writeHead(421).end();
  } catch (error) {
    console.error('The identity provider could not answer a request:', error);
    response.destroy();
  }
});
const host = (): string => `127.0.0.1:${portOf(server)}`;

const listen = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
const storedPort = readJsonFile(files.port, z.number()) ?? 0;
await listen(storedPort).catch(() => listen(0));
const port = portOf(server);
if (port !== storedPort) writeJsonFile(files.port, port);
parentPort?.postMessage({ port });
