import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../../../local/engines/freePort.ts';
import { message, RECEIVER, startReceiver, testEgress } from './httpsReceiver.ts';

const urlOf = (port: number) => `https://${RECEIVER}:${port}/`;
const KIB = 1_024;

/** Writes `opening`, then `part` repeatedly until the socket closes. */
const drip = (socket: Duplex, opening: string, part: string): void => {
  socket.write(opening);
  const timer = setInterval(() => socket.write(part), 5);
  socket.once('close', () => clearInterval(timer));
};

/** Accepts connections and never writes. */
const silentServer = async (): Promise<number> => {
  const sockets: Duplex[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
};

describe('a call fails with timeout at its deadline for a receiver', () => {
  const SHORT = 200;

  it.each([
    ['that does not respond', '', ''],
    ['that sends its headers slowly', 'HTTP/1.1 200 OK\r\nx-slow: ', 'x'],
    ['that sends its body slowly', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'],
    ['that announces a body and does not send it', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', ''],
    ['that only sends Early Hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('%s', async (_, opening, part) => {
    const there = await startReceiver((_response, { socket }) => drip(socket, opening, part));

    const outcome = await testEgress([there.port], { deadline: SHORT }).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
  });

  it('that never completes the TLS handshake', async () => {
    const port = await silentServer();

    const outcome = await testEgress([port], { deadline: SHORT }).post(urlOf(port), message());

    expect(outcome).toMatchObject({ failure: 'timeout' });
  });

  it('whose name server does not answer', async () => {
    const resolver = () => new Promise<never>(() => {});

    const outcome = await testEgress([443], { resolver, deadline: SHORT }).post(urlOf(443), message());

    expect(outcome).toMatchObject({ failure: 'timeout' });
  });
});

describe('a response is read only up to its limit:', () => {
  it.each([
    [16 * KIB, false],
    [16 * KIB + 1, true],
    [1_024 * KIB, true],
  ])('a body of %d bytes is truncated: %s', async (size, truncated) => {
    const there = await startReceiver((response) => response.end(Buffer.alloc(size, 'a')));

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'answered', truncated });
    expect(outcome.kind === 'answered' && outcome.body.length).toBe(16 * KIB);
  });

  it('an endless body is truncated, and the connection is closed', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const there = await startReceiver((response, { socket }) => {
      closed = new Promise((resolve) => socket.once('close', resolve));
      const more = () => {
        while (!socket.destroyed && response.write(Buffer.alloc(16 * KIB)));
        if (!socket.destroyed) response.once('drain', more);
      };
      more();
    });

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'answered', status: 200, truncated: true });
    await closed;
  });

  it('a gzip bomb is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(1_024 * KIB));
    const there = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome.kind === 'answered' && bomb.equals(outcome.body)).toBe(true);
  });

  it('headers of a megabyte fail with protocol', async () => {
    const there = await startReceiver((_response, { socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(1_024 * KIB)}\r\n\r\n`),
    );

    expect(await testEgress([there.port]).post(urlOf(there.port), message())).toMatchObject({
      failure: 'protocol',
    });
  });
});

describe('an invalid response fails:', () => {
  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'protocol'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'reset',
    ],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'reset'],
    ['an empty response', '', 'reset'],
  ])('%s', async (_, text, failure) => {
    const there = await startReceiver((_response, { socket }) => socket.end(text));

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure });
  });

  it('no server on the port', async () => {
    expect(await testEgress([1]).post(urlOf(1), message())).toMatchObject({
      kind: 'failed',
      failure: 'connect',
    });
  });

  it('plain HTTP', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const port = portOf(server);

    expect(await testEgress([port]).post(urlOf(port), message())).toMatchObject({ failure: 'tls' });
  });
});

it('reports the latency of a call, name resolution included', async () => {
  const there = await startReceiver();
  const times = [1_000, 1_250];

  const outcome = await testEgress([there.port], { now: () => times.shift() ?? 0 }).post(
    urlOf(there.port),
    message(),
  );

  expect(outcome.latency).toBe(250);
});
