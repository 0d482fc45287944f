import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { type Pipeline, unit } from '../../../functions/entries/wiring/httpHandler.ts';
import type { Authenticator } from '../../../functions/identity/access/authenticator.ts';
import type { BodyDecoder, Exchange } from '../../../functions/platform/http/exchange.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import type { Reply } from '../../../functions/platform/http/reply.ts';
import type { IdempotencyClaims } from '../../../functions/platform/idempotency/idempotencyClaim.store.ts';
// The pipeline loads it with the first mutation. Loaded here, no test waits for it.
import '../../../functions/platform/idempotency/idempotentResponse.ts';
import type { StoredResponses } from '../../../functions/platform/idempotency/idempotentResponse.ts';
import type { ResponseStore } from '../../../functions/platform/idempotency/response.store.ts';
import type { Limiter } from '../../../functions/platform/limits/limiter.ts';
import { sourceLimiter } from '../../../functions/platform/limits/sourceLimiter.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import type { Authority, Effect } from '../../../schemas/routes/authority.ts';
import { type RouteShape, route, routeKey } from '../../../schemas/routes/route.ts';
import { inMemoryResponseStore } from '../idempotency/inMemoryResponseStore.ts';

export const NOW = Date.parse('2026-05-01T12:00:00Z');
export const BASE_URL = 'https://api.example.com';

export const caller: Caller = {
  tenant: {
    tenant_id: 'acme',
    name: 'Acme',
    tag: 'k3vcq2mc',
    plan: 'standard',
    limits: {},
    residency: [],
    key_lifetime_days: 365,
    stage_b: 'enabled',
    allocation: { method: 'proportional' },
    cost_allocation_tags: [],
    created_at: '2026-01-01T00:00:00.000Z',
  },
  principal: 'key_1',
  kind: 'api_key',
  email: null,
  residency: null,
  signedInAt: null,
  scopes: new Set(['read:attribution']),
};

const budget = { limit: 100, remaining: 99, reset: 1 };
const unlimitedLimiter: Limiter = {
  charge: async () => ({ outcome: 'admitted', state: budget }),
  peek: async () => budget,
};

const testAuthenticator: Authenticator = async (credential) =>
  credential === 'ask_good' ? caller : 'invalid';

const emptyIdempotencyStore: IdempotencyClaims = {
  claim: async () => ({ kind: 'first' }),
  release: async () => undefined,
};

/** Stored responses in this store, sealed with a fixed test secret. */
export const storedResponsesIn = (store: ResponseStore): StoredResponses => ({
  store,
  sealing: async () => new Uint8Array(32),
  random: (bytes) => new Uint8Array(bytes),
});

type SomeShape = Partial<Omit<RouteShape, 'authority'>> & {
  readonly effect?: Effect;
  readonly authority?: Partial<Authority>;
};

/** A minimal route for tests. It requires a credential unless the test overrides it. */
export const testRoute = ({ effect = 'none', authority, ...shape }: SomeShape = {}): RouteShape =>
  route({
    method: 'GET',
    path: '/things',
    operation: 'getThings',
    unit: 'contract',
    summary: 'For tests',
    access: 'read:attribution',
    discloses: 'none',
    rate: 'read',
    needs: [],
    replies: {},
    ...shape,
    authority: { effect, reveals: [], lanes: 'none', ...authority },
  });

export interface TestRequest {
  readonly headers?: Record<string, string>;
  /** Bytes are sent in base64, as the gateway does for types that it does not know as text. */
  readonly body?: string | Buffer;
  readonly query?: Record<string, string>;
  /** The query as it is sent, instead of `query`. */
  readonly rawQuery?: string;
  readonly parameters?: Record<string, string>;
  /** Default: the route's own. */
  readonly path?: string;
  readonly sourceIp?: string;
}

const eventOf = (shape: RouteShape, sent: TestRequest): APIGatewayProxyEventV2 => ({
  version: '2.0',
  routeKey: routeKey(shape),
  rawPath: sent.path ?? shape.path,
  rawQueryString: sent.rawQuery ?? new URLSearchParams(sent.query).toString(),
  headers: sent.headers ?? {},
  requestContext: {
    accountId: '',
    apiId: '',
    domainName: '',
    domainPrefix: '',
    http: {
      method: shape.method,
      path: shape.path,
      protocol: 'HTTP/1.1',
      sourceIp: sent.sourceIp ?? '192.0.2.7',
      userAgent: '',
    },
    requestId: '',
    routeKey: routeKey(shape),
    stage: '$default',
    time: '',
    timeEpoch: NOW,
  },
  isBase64Encoded: typeof sent.body === 'object',
  ...(sent.parameters && { pathParameters: sent.parameters }),
  ...(sent.body !== undefined && {
    body: typeof sent.body === 'string' ? sent.body : sent.body.toString('base64'),
  }),
});

let requests = 0;
const contextOf = (remaining: number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'unit',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:unit',
  memoryLimitInMB: '512',
  awsRequestId: `request-${requests}`,
  logGroupName: '',
  logStreamName: '',
  getRemainingTimeInMillis: () => remaining,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});

export interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  /** The parsed body; an empty object if there is none, or bytes. */
  readonly body: Record<string, unknown>;
}

type Run = (exchange: Exchange) => Promise<Reply> | Reply;
type Served = Partial<Pipeline> & { readonly remaining?: number; readonly decode?: BodyDecoder };

/**
 * One environment with the whole middleware pipeline around `run`. By default the credential `ask_good` is valid, limits
 * admit, no Idempotency-Key was used before, and the function has ten seconds left.
 */
export const servedBy = (
  shape: RouteShape,
  run: Run,
  options: Served = {},
): ((sent: TestRequest) => Promise<TestResponse>) => {
  const operation: BoundOperation = {
    route: shape,
    run: async (exchange) => run(exchange),
    ...(options.decode !== undefined && { decode: options.decode }),
  };
  const handler = unit([operation], {
    authenticator: testAuthenticator,
    sources: sourceLimiter({ clock: () => NOW }),
    limiter: unlimitedLimiter,
    claims: emptyIdempotencyStore,
    responses: storedResponsesIn(inMemoryResponseStore().store),
    clock: () => NOW,
    baseUrl: BASE_URL,
    publicContract: true,
    trustedProxies: 0,
    ...options,
  });
  return async (sent) => {
    requests += 1;
    const answer = await handler(eventOf(shape, sent), contextOf(options.remaining ?? 10_000));
    const text = answer.body ?? '';
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers ?? {},
      text,
      body: z
        .record(z.string(), z.unknown())
        .parse(text === '' || answer.isBase64Encoded ? {} : JSON.parse(text)),
    };
  };
};

/** One request, by an environment of its own. */
export const serve = (
  shape: RouteShape,
  run: Run,
  sent: TestRequest = {},
  options: Served = {},
): Promise<TestResponse> => servedBy(shape, run, options)(sent);
