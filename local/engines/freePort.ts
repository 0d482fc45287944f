import { createServer } from 'node:net';
import * as z from 'zod';

const Address = z.object({ port: z.number() });

/** The port of a listening server. */
export const portOf = (server: { address(): unknown }): number => Address.parse(server.address()).port;

/** Returns a port of this address that is free now. Another process may take it first, so the caller must be able to retry. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, host, resolve);
  });
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
