import { connect, createServer, type Socket } from 'node:net';
import type { Admission, Refusal, RequestHead } from './admission.ts';
import type { Engine } from './engine.ts';
import { listenOnFreePort } from './freePort.ts';

const HEAD_END = '\r\n\r\n';
const HEAD_BYTES_MAXIMUM = 16 * 1_024;
const HEAD_TIMEOUT_MS = 10_000;
const REQUEST_LINE = /^[A-Z]+ (\S+) HTTP\/1\.1$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

/** The head of a request. Null for text that is none. A repeated header has all its values. */
export const parseHead = (text: string): RequestHead | null => {
  const [first = '', ...lines] = text.split('\r\n');
  const url = REQUEST_LINE.exec(first)?.[1];
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) return null;
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  return url === undefined ? null : { url, headers: Object.fromEntries(headers) };
};

const UNREADABLE: Refusal = { code: 'AccessDenied', message: 'The request cannot be read.' };

const refuse = (client: Socket, { code, message }: Refusal): void => {
  const body = JSON.stringify({ __type: code, message });
  client.end(
    `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
};

/**
 * Stands before an engine that is a program of its own and admits everybody. The first request of a connection decides, because
 * a connection belongs to one client: the rest is passed on unread, which costs a fraction of a second HTTP server.
 */
export const openFrontDoor = async (
  target: { readonly host: string; readonly port: number },
  admit: Admission,
): Promise<Engine> => {
  const open = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return socket;
  };

  const pass = (client: Socket, received: Buffer): void => {
    client.setTimeout(0);
    const engine = track(connect({ ...target, noDelay: true }));
    const close = (): void => {
      client.destroy();
      engine.destroy();
    };
    engine.on('error', close);
    engine.once('close', close);
    client.on('error', close);
    client.once('close', close);
    engine.write(received);
    client.pipe(engine);
    engine.pipe(client);
  };

  const server = createServer({ noDelay: true }, (client) => {
    track(client);
    let received = Buffer.alloc(0);
    client.setTimeout(HEAD_TIMEOUT_MS, () => client.destroy());
    client.on('error', () => client.destroy());
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(HEAD_END);
      if (end === -1 && received.length < HEAD_BYTES_MAXIMUM) return;
      client.off('data', read);
      client.pause();
      const head = end === -1 ? null : parseHead(received.toString('latin1', 0, end));
      const refusal = head === null ? UNREADABLE : admit(head);
      if (refusal !== null) refuse(client, refusal);
      else pass(client, received);
    };
    client.on('data', read);
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};
