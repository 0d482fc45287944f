import { once } from 'node:events';
import { createServer } from 'node:https';
import { portOf } from '../local/engines/freePort.ts';
import { authority } from '../test/egress/certificates.ts';

/** A receiver on this machine, over TLS: answers its challenge, and notes when each event came first. */
export const startReceiver = async () => {
  const trusted = authority();
  const arrived = new Map<string, number>();
  const hanging = new Set<string>();
  const server = createServer(trusted.issue(['127.0.0.1']), async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const event = JSON.parse(Buffer.concat(parts).toString());
    if (event.type === 'webhook.verification') {
      response.end(JSON.stringify({ challenge: event.data.challenge }));
      return;
    }
    if (hanging.has(request.url ?? '')) return;
    if (!arrived.has(event.id)) arrived.set(event.id, performance.now());
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    ca: trusted.cert,
    host: `127.0.0.1:${port}`,
    urlOf: (path: string) => `https://127.0.0.1:${port}${path}`,
    /** When each event came first, by its id; milliseconds of this process. */
    arrived,
    /** Paths that never answer. */
    hanging,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
