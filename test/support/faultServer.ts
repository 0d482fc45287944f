import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One request as it arrived. */
export interface Seen {
  readonly method: string;
  /** As it was sent, without the first segment, which names the case. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds, for comparisons with other requests. */
  readonly at: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON, unless it is a text or bytes. */
  readonly body?: unknown;
}

/**
 * `reset` closes the connection without an answer, `cut` within an answer of a known length, `cut chunks` within one of an
 * unknown length. `drip` sends the answer slowly and without an end, `silence` none. `raw` is what is written to the connection, which
 * then ends.
 */
export type Step =
  | Reply
  | { readonly raw: string }
  | 'reset'
  | 'cut'
  | 'cut chunks'
  | 'drip'
  | 'silence'
  | (() => Reply);

const DRIP_MS = 50;

const answer = (response: ServerResponse, step: Step): void => {
  if (step === 'silence') return;
  if (step === 'reset') return void response.socket?.destroy();
  if (typeof step === 'object' && 'raw' in step) return void response.socket?.end(step.raw);
  if (step === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":');
    setTimeout(() => response.socket?.destroy(), DRIP_MS);
  } else if (step === 'cut chunks') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"id":"rec_1"}');
    setTimeout(() => response.socket?.destroy(), DRIP_MS);
  } else if (step === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), DRIP_MS);
    response.once('close', () => clearInterval(timer));
  } else {
    const { status, headers = {}, body = '' } = typeof step === 'function' ? step() : step;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, { 'content-type': isRaw ? 'text/html' : 'application/json', ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  }
};

/**
 * A service, and a proxy, with faults. The first segment of a path, or of the host that the proxy is asked for, names a case:
 * each request of a case takes its next step, and the requests after the last one get `rest`.
 */
export const startFaultServer = async (rest: Reply) => {
  const scripts = new Map<string, Step[]>();
  const seen = new Map<string, Seen[]>();
  const note = (name: string, request: Omit<Seen, 'at'>): void => {
    seen.set(name, [...(seen.get(name) ?? []), { ...request, at: performance.now() }]);
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const [, name = '', target = ''] = /^\/([^/]*)(.*)$/.exec(url) ?? [];
    let body = '';
    for await (const chunk of request) body += String(chunk);
    note(name, { method, target, headers, body });
    answer(response, scripts.get(name)?.shift() ?? rest);
  });
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    note(url.split('.')[0] ?? '', { method: 'CONNECT', target: url, headers, body: '' });
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    origin,
    /** The base URL of a case. */
    begin: (name: string, steps: readonly Step[] = []): string => {
      scripts.set(name, [...steps]);
      return `${origin}/${name}`;
    },
    seenIn: (name: string): readonly Seen[] => seen.get(name) ?? [],
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;
