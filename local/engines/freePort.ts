import { createServer, type Server } from 'node:net';
import * as z from 'zod';

const Address = z.object({ port: z.number() });

/** The port of a listening server. */
export const portOf = (server: { address(): unknown }): number => Address.parse(server.address()).port;

/** Listens on any free port of this address. Resolves to the port, and rejects when the server cannot listen. */
export const listenOnFreePort = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return portOf(server);
};

/** Returns a port of this address that is free now. Another process may take it first, so the caller must be able to retry. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer();
  const port = await listenOnFreePort(probe, host);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
