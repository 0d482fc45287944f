import { createServer } from 'node:net';
import * as z from 'zod';

const Address = z.object({ port: z.number() });

/** The port a listening server was given. */
export const portOf = (server: { address(): unknown }): number => Address.parse(server.address()).port;

/** A port nobody listens on at this moment; whoever takes it must be ready to lose the race for it. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
