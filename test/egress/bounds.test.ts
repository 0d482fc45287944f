import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../../local/engines/freePort.ts';
import { message, RECEIVER, startReceiver, testEgress } from './httpsReceiver.ts';

const urlOf = (port: number) => `https://${RECEIVER}:${port}/`;
const KIB = 1_024;

/** Says `opening`, then `part` again and again until nobody listens. */
const drip = (socket: Duplex, opening: string, part: string): void => {
  socket.write(opening);
  const timer = setInterval(() => socket.write(part), 5);
  socket.once('close', () => clearInterval(timer));
};

/** Takes connections and never says a word. */
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

describe('no more than the deadline goes to a receiver', () => {
  const SHORT = 200;

  it.each([
    ['that says nothing', '', ''],
    ['that sends its headers slowly', 'HTTP/1.1 200 OK\r\nx-slow: ', 'x'],
    ['that sends its body slowly', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'],
    ['that promises a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', ''],
    ['that only hints at an answer', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('%s', async (_, opening, part) => {
    const there = await startReceiver((_response, { socket }) => drip(socket, opening, part));

    const outcome = await testEgress([there.port], { deadline: SHORT }).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
  });

  it('that never ends the handshake', async () => {
    const port = await silentServer();

    const outcome = await testEgress([port], { deadline: SHORT }).post(urlOf(port), message());

    expect(outcome).toMatchObject({ failure: 'timeout' });
  });

  it('whose name server waits', async () => {
    const resolver = () => new Promise<never>(() => {});

    const outcome = await testEgress([443], { resolver, deadline: SHORT }).post(urlOf(443), message());

    expect(outcome).toMatchObject({ failure: 'timeout' });
  });
});

describe('no more is read of an answer than its bound', () => {
  it.each([
    [16 * KIB, false],
    [16 * KIB + 1, true],
    [1_024 * KIB, true],
  ])('a body of %d bytes, cut: %s', async (size, truncated) => {
    const there = await startReceiver((response) => response.end(Buffer.alloc(size, 'a')));

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'answered', truncated });
    expect(outcome.kind === 'answered' && outcome.body.length).toBe(16 * KIB);
  });

  it('a body without end: it is cut, and the connection with it', async () => {
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

  it('a bomb: it is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_024 * KIB));
    const there = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome.kind === 'answered' && bomb.equals(outcome.body)).toBe(true);
  });

  it('headers of a megabyte: that is no answer', async () => {
    const there = await startReceiver((_response, { socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(1_024 * KIB)}\r\n\r\n`),
    );

    expect(await testEgress([there.port]).post(urlOf(there.port), message())).toMatchObject({
      failure: 'protocol',
    });
  });
});

describe('an answer that is none is a failure', () => {
  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'protocol'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'reset',
    ],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'reset'],
    ['nothing', '', 'reset'],
  ])('%s', async (_, text, failure) => {
    const there = await startReceiver((_response, { socket }) => socket.end(text));

    const outcome = await testEgress([there.port]).post(urlOf(there.port), message());

    expect(outcome).toMatchObject({ kind: 'failed', failure });
  });

  it('nobody there', async () => {
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

it('tells how long a call took, its name’s resolution included', async () => {
  const there = await startReceiver();
  const times = [1_000, 1_250];

  const outcome = await testEgress([there.port], { now: () => times.shift() ?? 0 }).post(
    urlOf(there.port),
    message(),
  );

  expect(outcome.latency).toBe(250);
});
