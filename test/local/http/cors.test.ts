import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Gateway, openGateway } from '../../../local/http/gateway.ts';
import {
  CORS_MAX_AGE_SECONDS,
  CORS_METHODS,
  CORS_REQUEST_HEADERS,
  CORS_RESPONSE_HEADERS,
} from '../../../schemas/platform/cors.ts';

const ALLOWED = 'https://console.example.com';
const OTHER = 'https://evil.example.com';

let gateway: Gateway;

const serve = (withCors: boolean): void =>
  gateway.serve(
    {
      id: 'api',
      routes: [{ routeKey: 'GET /it', functionArn: 'arn', timeoutMs: 30_000 }],
      ...(withCors && {
        cors: {
          allowOrigins: [ALLOWED],
          allowMethods: CORS_METHODS,
          allowHeaders: CORS_REQUEST_HEADERS,
          exposeHeaders: CORS_RESPONSE_HEADERS,
          maxAge: CORS_MAX_AGE_SECONDS,
        },
      }),
    },
    () => async () => ({
      ok: true,
      payload: JSON.stringify({
        statusCode: 200,
        body: 'done',
        headers: { 'Access-Control-Allow-Origin': '*' },
      }),
    }),
  );

beforeEach(async () => {
  gateway = await openGateway(0);
});
afterEach(() => gateway.stop());

const preflight = (origin: string) =>
  fetch(`${gateway.url}/it`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });

test('answers the preflight request of an allowed origin', async () => {
  serve(true);
  const { status, headers } = await preflight(ALLOWED);

  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(ALLOWED);
  expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
  expect(headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('allows nothing to another origin', async () => {
  serve(true);
  const { status, headers } = await preflight(OTHER);
  const answer = await fetch(`${gateway.url}/it`, { headers: { origin: OTHER } });

  expect(status).toBe(204);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('lets an allowed origin read responses and errors, in place of the headers of the function', async () => {
  serve(true);
  for (const [path, status] of [
    ['/it', 200],
    ['/missing', 404],
  ] as const) {
    const answer = await fetch(`${gateway.url}${path}`, { headers: { origin: ALLOWED } });

    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(answer.headers.get('vary')).toContain('Origin');
  }
});

test('sends no CORS headers of its own without configured origins', async () => {
  serve(false);

  expect((await preflight(ALLOWED)).status).toBe(404);
});
