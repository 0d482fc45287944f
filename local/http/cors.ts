import type { IncomingMessage } from 'node:http';
import type { CorsConfiguration } from '../template/openApiBody.ts';
import type { HttpReply } from './functionReply.ts';

/** Whether a request asks which requests of another origin are allowed (the Fetch standard, "CORS-preflight request"). */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

const allowedOrigin = (cors: CorsConfiguration, { headers }: IncomingMessage): string | undefined =>
  cors.allowOrigins.find((origin) => origin === headers.origin);

/** The answer of an HTTP API to a preflight request: 204 for every origin, with headers only for an allowed one. */
export const preflightReply = (cors: CorsConfiguration, request: IncomingMessage): HttpReply => {
  const origin = allowedOrigin(cors, request);
  return {
    status: 204,
    headers: {
      vary: 'Origin',
      ...(origin !== undefined && {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': cors.allowMethods.join(','),
        'access-control-allow-headers': cors.allowHeaders.join(','),
        'access-control-max-age': String(cors.maxAge),
      }),
    },
    body: '',
  };
};

/** Adds the CORS headers for an allowed origin. Those of a function are dropped, as by an HTTP API. */
export const withCors = (
  cors: CorsConfiguration | undefined,
  request: IncomingMessage,
  reply: HttpReply,
): HttpReply => {
  if (cors === undefined) return reply;
  const origin = allowedOrigin(cors, request);
  const own = Object.entries(reply.headers).filter(([name]) => !name.startsWith('access-control-'));
  const vary = [reply.headers['vary'] ?? [], 'Origin'].flat().join(', ');
  return {
    ...reply,
    headers: {
      ...Object.fromEntries(own),
      vary,
      ...(origin !== undefined && {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': cors.exposeHeaders.join(','),
      }),
    },
  };
};
