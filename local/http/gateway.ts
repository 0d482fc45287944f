import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { GatewayStatus } from '../../schemas/gatewayProblems.ts';
import { portOf } from '../engines/freePort.ts';
import { EVENT_LIMIT_BYTES } from '../lambda/localFunction.ts';
import type { InvocationResult } from '../lambda/sandbox.ts';
import type { ApiDeclaration } from '../template/api.ts';
import type { CorsConfiguration } from '../template/openApiBody.ts';
import { isPreflight, preflightReply, withCors } from './cors.ts';
import { type HttpReply, parseFunctionReply } from './functionReply.ts';
import { gatewayError } from './gatewayError.ts';
import { readBody } from './requestBody.ts';
import { requestEvent } from './requestEvent.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { openStageThrottle } from './stageThrottle.ts';

export type InvokeRoute = (event: string, requestId: string) => Promise<InvocationResult>;

interface Target {
  invoke: InvokeRoute;
  timeoutMs: number;
}

export interface Gateway {
  url: string;
  /** The number of requests without a response. */
  readonly active: number;
  /** Starts to answer requests. Earlier requests wait for this call. */
  serve(api: ApiDeclaration, invoke: (functionArn: string) => InvokeRoute): void;
  /** Accepts no new connections and waits for the current requests. */
  drain(): Promise<void>;
  /** Closes the port and all open connections. */
  stop(): void;
}

type GatewayHandler = (request: IncomingMessage, requestId: string) => Promise<HttpReply | GatewayStatus>;

/** API Gateway's limit for the request line and all headers. */
const HEADERS_LIMIT_BYTES = 10_240;
/** Longer than the idle timeout of clients, so that the server never closes a connection while a request arrives. */
const KEEP_ALIVE_MS = 75_000;
const CLOSE_IDLE_INTERVAL_MS = 20;

/** Opens the port first, so that the URL is known before anything else starts. Throws if the port is in use. */
export async function openGateway(port: number): Promise<Gateway> {
  let cors: CorsConfiguration | undefined;
  let setHandler: (handler: GatewayHandler) => void = () => {};
  const ready = new Promise<GatewayHandler>((resolve) => {
    setHandler = resolve;
  });
  let active = 0;
  let baseUrl = '';
  const errorOf = (status: GatewayStatus, requestId: string, url = '/') =>
    gatewayError(status, { requestId, path: url.split('?')[0] ?? '/' }, baseUrl);
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: HEADERS_LIMIT_BYTES },
    async (request, response) => {
      active += 1;
      try {
        const handle = await ready;
        const requestId = randomUUID();
        const failed = () => errorOf(500, requestId, request.url);
        if (cors !== undefined && isPreflight(request)) {
          writeReply(request, response, preflightReply(cors, request), failed);
          return;
        }
        const reply = await handle(request, requestId);
        const answered = typeof reply === 'number' ? errorOf(reply, requestId, request.url) : reply;
        writeReply(request, response, withCors(cors, request, answered), failed);
      } catch {
        // The client closed the connection.
        response.destroy();
      } finally {
        active -= 1;
      }
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    socket.end(rawResponse(errorOf(status, randomUUID())));
  });
  await listen(server, port);
  baseUrl = `http://127.0.0.1:${portOf(server)}`;
  return {
    url: baseUrl,
    get active() {
      return active;
    },
    serve(api, invoke) {
      cors = api.cors;
      setHandler(createHandler(api, invoke));
    },
    async drain() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Connections that become idle during the drain would otherwise stay open for the whole keep-alive time.
      const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
      await closed;
      clearInterval(closing);
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      reject(
        new Error(
          `Port ${port} is already in use. Stop the process that listens there, or choose another port with --port.`,
          { cause: error },
        ),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

function createHandler(api: ApiDeclaration, invoke: (functionArn: string) => InvokeRoute): GatewayHandler {
  const route = createRouter<Target>(
    api.routes.map(({ routeKey, functionArn, timeoutMs }) => ({
      routeKey,
      target: { invoke: invoke(functionArn), timeoutMs },
    })),
  );
  const admits =
    api.throttle === undefined ? () => true : openStageThrottle(api.throttle, () => performance.now());
  return async (request, requestId) => {
    const [rawPath = '', ...query] = (request.url ?? '/').split('?');
    const matched = matchRoute(route, request.method ?? 'GET', rawPath);
    if (matched === 'malformed') return 400;
    const body = await readBody(request);
    if (!body) return 413;
    if (!matched) return 404;
    if (!admits()) return 429;
    const received = {
      method: request.method ?? 'GET',
      rawPath,
      rawQuery: query.join('?'),
      rawHeaders: request.rawHeaders,
      body,
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      httpVersion: request.httpVersion,
      host: request.headers.host ?? '',
    };
    const { routeKey, parameters, target } = matched;
    const origin = { apiId: api.id, routeKey, parameters, requestId, epochMs: Date.now() };
    const event = JSON.stringify(requestEvent(received, origin));
    if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) return 413;
    const reply = await invokeWithTimeout(target, event, requestId);
    if (typeof reply === 'number') return reply;
    return { ...reply, headers: { ...reply.headers, 'apigw-requestid': requestId } };
  };
}

function matchRoute(
  route: (method: string, rawPath: string) => RouteMatch<Target> | undefined,
  method: string,
  rawPath: string,
): RouteMatch<Target> | undefined | 'malformed' {
  try {
    decodeURIComponent(rawPath);
    return rawPath.startsWith('/') ? route(method, rawPath) : 'malformed';
  } catch {
    return 'malformed';
  }
}

/** Waits up to the timeout of the integration. The function continues to run, as behind API Gateway. */
async function invokeWithTimeout(
  { invoke, timeoutMs }: Target,
  event: string,
  requestId: string,
): Promise<HttpReply | GatewayStatus> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  const result = await Promise.race([invoke(event, requestId), timeout]);
  clearTimeout(timer);
  if (result === 'timeout') return 503;
  return (result.ok && parseFunctionReply(result.payload)) || 500;
}

/** A response for a request that Node.js could not parse, so that it has no ServerResponse. */
function rawResponse({ status, headers, body }: HttpReply): string {
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Statuses whose responses have no body and so no Content-Length (RFC 9110, section 8.6). */
const BODILESS = new Set([204, 304]);

function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpReply,
  failed: () => HttpReply,
): void {
  // The function knows the length that a GET response has (RFC 9110, section 8.6).
  const hasLength = !BODILESS.has(status) && request.method !== 'HEAD';
  const length = hasLength ? { 'content-length': Buffer.byteLength(body) } : {};
  try {
    response.writeHead(status, { ...headers, ...length }).end(body);
  } catch {
    // The function returned an invalid header. API Gateway answers this like a failed function.
    const reply = failed();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }
}
