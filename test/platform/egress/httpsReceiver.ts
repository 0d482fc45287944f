import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { defaultEgressLimits, egress } from '../../../functions/platform/egress/egress.ts';
import type { Resolver } from '../../../functions/platform/egress/resolution.ts';
import { portOf } from '../../../local/engines/freePort.ts';
import { authority, type Identity } from './certificates.ts';

export const RECEIVER = 'receiver.example';
export const LOOPBACK = '127.0.0.1';

export const trustedAuthority = authority();
const identity = trustedAuthority.issue([RECEIVER]);

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A local HTTPS receiver that records connections and requests. It stops at the end of the test. */
export const startReceiver = async (
  answer: Answer = (response) => response.end(),
  own: Identity = identity,
) => {
  const requests: Received[] = [];
  const sockets = new Set<Duplex>();
  const servernames: unknown[] = [];
  let connections = 0;
  const server = createServer(own, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
    await answer(response, request);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket) => servernames.push(socket.servername));
  server.on('tlsClientError', () => {});
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: portOf(server), requests, servernames, sockets, connections: () => connections };
};

/** A resolver that returns these answers in turn and records the names it resolved. */
export const stubResolver = (...answers: readonly (readonly string[])[]) => {
  const asked: string[] = [];
  const resolver: Resolver = async (host) => {
    asked.push(host);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { asked, resolver };
};

/** An egress client that allows the local receivers on these ports in addition to public addresses. */
export const testEgress = (
  ports: readonly number[],
  options: {
    readonly resolver?: Resolver;
    readonly deadline?: number;
    readonly now?: () => number;
    /** Null: only public authorities. */
    readonly ca?: string | null;
  } = {},
) => {
  const { resolver = stubResolver([LOOPBACK]).resolver, deadline = defaultEgressLimits.deadline } = options;
  const { now = () => 0, ca = trustedAuthority.cert } = options;
  return egress({
    policy: { ports: [], allowHosts: ports.map((port) => `${RECEIVER}:${port}`) },
    resolver,
    now,
    limits: { ...defaultEgressLimits, deadline },
    ...(ca !== null && { ca }),
  });
};

export const message = (body = '{}') => ({ headers: { 'x-test': 'yes' }, body: Buffer.from(body) });
