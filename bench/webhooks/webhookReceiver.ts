import { once } from 'node:events';
import { createServer } from 'node:https';
import { portOf } from '../../local/engines/freePort.ts';
import { authority } from '../../test/platform/egress/certificates.ts';

/** An event of a stream that the receiver has acknowledged. */
export interface Delivery {
  readonly path: string;
  readonly id: string;
  readonly sequence: number;
  /** The record that it is about, if any. */
  readonly record?: string;
}

/** A local TLS receiver. It answers the verification challenge, records when each event first arrived, and counts requests. */
export const startReceiver = async () => {
  const certificates = authority();
  const arrived = new Map<string, number>();
  const hanging = new Set<string>();
  const refusing = new Set<string>();
  const requests = new Map<string, number>();
  const deliveries: Delivery[] = [];
  const server = createServer(certificates.issue(['127.0.0.1']), async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const { url: path = '' } = request;
    if (body.type === 'webhook.verification') {
      deliveries.push({ path, id: body.id, sequence: body.sequence });
      response.end(JSON.stringify({ challenge: body.data.challenge }));
      return;
    }
    requests.set(path, (requests.get(path) ?? 0) + 1);
    if (hanging.has(path)) return;
    if (refusing.has(path)) {
      response.writeHead(503).end();
      return;
    }
    for (const { id, sequence, data } of body.events ?? [body]) {
      if (!arrived.has(id)) arrived.set(id, performance.now());
      deliveries.push({ path, id, sequence, record: data?.attribution_id });
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    ca: certificates.cert,
    host: `127.0.0.1:${port}`,
    urlOf: (path: string) => `https://127.0.0.1:${port}${path}`,
    /** First arrival of each event by its id, on the `performance.now()` clock (milliseconds). */
    arrived,
    /** Every acknowledged event, also repeated ones. */
    deliveries,
    /** Event requests by path. */
    requests,
    /** Paths that accept requests but never answer. */
    hanging,
    /** Paths that answer 503. */
    refusing,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
