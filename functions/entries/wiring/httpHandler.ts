import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { securityHeaders } from '../../../schemas/platform/securityHeaders.ts';
import { deprecationHeaders } from '../../../schemas/routes/deprecation.ts';
import {
  answeredKeysOf,
  holdsOwnKey,
  type RouteShape,
  storesResponse,
  takesIdempotencyKey,
} from '../../../schemas/routes/route.ts';
import { authenticateMiddleware } from '../../identity/access/authenticateMiddleware.ts';
import type { Authenticator } from '../../identity/access/authenticator.ts';
import { authorizeMiddleware } from '../../identity/access/authorizeMiddleware.ts';
import { isWellFormed } from '../../identity/access/wellFormed.ts';
import type { AuditLog } from '../../identity/audit/audit.store.ts';
import { auditMiddleware, recordRefusals } from '../../identity/audit/auditMiddleware.ts';
import { type Content, compressReply } from '../../platform/http/body/compressReply.ts';
import { readBody } from '../../platform/http/body/readBody.ts';
import { clientAddressOf } from '../../platform/http/clientAddress.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { BoundOperation, RequestHandler } from '../../platform/http/operation.ts';
import { answerError } from '../../platform/http/problemReply.ts';
import type { Reply } from '../../platform/http/reply.ts';
import { traceOf } from '../../platform/http/trace.ts';
import { traceMiddleware } from '../../platform/http/traceMiddleware.ts';
import { validate } from '../../platform/http/validate.ts';
import type { IdempotencyClaims } from '../../platform/idempotency/idempotencyClaim.store.ts';
import { requireIdempotencyKey } from '../../platform/idempotency/idempotencyKey.ts';
import { idempotentByOperation, idempotentIngest } from '../../platform/idempotency/idempotentIngest.ts';
import type { StoredResponses } from '../../platform/idempotency/idempotentResponse.ts';
import type { Limiter } from '../../platform/limits/limiter.ts';
import { rateLimitMiddleware } from '../../platform/limits/rateLimitMiddleware.ts';
import type { SourceLimiter } from '../../platform/limits/sourceLimiter.ts';
import { sourceLimitMiddleware } from '../../platform/limits/sourceLimitMiddleware.ts';
import { withMetrics } from '../../platform/shared/metrics.ts';
import { unavailable } from '../../platform/shared/problem.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { withinInvocation } from '../../platform/shared/time/invocationTime.ts';

/**
 * A request is answered with 503 this long before the timeout of the function. On a busy machine or in a long computation
 * the answer starts late, and after the timeout the gateway answers instead, without a problem document.
 */
const EARLY_TIMEOUT_MS = 1_000;

export interface Pipeline {
  readonly authenticator: Authenticator;
  readonly sources: SourceLimiter;
  readonly limiter: Limiter;
  /** For ingestion units. */
  readonly claims?: IdempotencyClaims;
  /** For units with other mutations. */
  readonly responses?: StoredResponses;
  /** For units with audited routes. */
  readonly audit?: AuditLog;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly publicContract: boolean;
  /** Proxies of the operator in front of the API, of which each appends to `X-Forwarded-For`. */
  readonly trustedProxies: number;
}

/**
 * The body of a reply, compressed if it is text that the operation did not encode itself. The reply of a session holds a
 * token, and its length after compression would depend on the token.
 */
const contentOf = ({ route, gateway }: Exchange, body: unknown, headers: Reply['headers']): Content => {
  if (body instanceof Uint8Array) return { content: body, headers: {} };
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return route.access === 'session' || headers?.['vary'] !== undefined
    ? { content: text, headers: {} }
    : compressReply(text, gateway.headers['accept-encoding']);
};

const toGatewayResult = (
  exchange: Exchange,
  { status, headers, body, cookies }: Reply,
  baseUrl: string,
): APIGatewayProxyStructuredResultV2 => {
  const { content, headers: coding } = contentOf(exchange, body, headers);
  const isHead = exchange.gateway.requestContext.http.method === 'HEAD';
  return {
    statusCode: status,
    headers: {
      ...(hasBody(status) && { 'content-type': 'application/json' }),
      // The length that the response to GET has (RFC 9110 §8.6).
      ...(hasBody(status) && isHead && { 'content-length': String(Buffer.byteLength(content)) }),
      'cache-control': 'no-store',
      ...securityHeaders(baseUrl),
      ...headers,
      ...coding,
      ...exchange.headers,
      // Added here, so that errors have them and stored responses do not.
      ...(exchange.route.deprecated && deprecationHeaders(exchange.route.deprecated)),
      ...(exchange.degraded.length > 0 && { degraded: exchange.degraded.join(', ') }),
    },
    ...(cookies && { cookies: [...cookies] }),
    ...(hasBody(status) &&
      !isHead &&
      (typeof content === 'string'
        ? { body: content }
        : { body: Buffer.from(content).toString('base64'), isBase64Encoded: true })),
  };
};

/** A 204 or 304 response has no body, and clients follow a redirect without reading one. */
const hasBody = (status: number): boolean => ![204, 302, 303, 304].includes(status);

/** The idempotency library loads with the first mutation. Cold starts, and the units without mutations, do without it. */
const withStoredResponse =
  (responses: StoredResponses, clock: Clock, run: RequestHandler): RequestHandler =>
  async (exchange) => {
    const { idempotentResponse } = await import('../../platform/idempotency/idempotentResponse.ts');
    return idempotentResponse(responses, clock, run)(exchange);
  };

/** Adds Idempotency-Key handling to an operation. Throws at startup if the unit has no store for it. */
const withIdempotency = (
  route: RouteShape,
  run: RequestHandler,
  { claims, responses, audit, clock }: Pipeline,
): RequestHandler => {
  if (!takesIdempotencyKey(route)) return run;
  if (holdsOwnKey(route)) return idempotentByOperation(run);
  if (storesResponse(route) && responses !== undefined) {
    return withStoredResponse(responses, clock, audit === undefined ? run : recordRefusals(audit, run));
  }
  if (!storesResponse(route) && claims !== undefined) return idempotentIngest(claims, run);
  throw new Error(`the unit of ${route.operation} has no idempotency store`);
};

/** Rejects with SERVICE_UNAVAILABLE if the request has no answer shortly before the function times out. */
const beforeTimeout = async <Answer>(lambda: Context, answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const end = () => reject(unavailable(new Error('the request ran out of time')));
    timer = setTimeout(end, Math.max(0, lambda.getRemainingTimeInMillis() - EARLY_TIMEOUT_MS));
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
};

/**
 * The Lambda handler of a unit. It selects the operation by the route key of the gateway and runs it in the middleware
 * pipeline. Every error becomes a problem here. `fallback` handles requests that match no route.
 */
export const unit = (
  operations: readonly BoundOperation[],
  pipeline: Pipeline,
  fallback?: BoundOperation,
) => {
  const middlewares = [
    traceMiddleware,
    ...(pipeline.audit === undefined ? [] : [auditMiddleware(pipeline.audit, pipeline.limiter)]),
    sourceLimitMiddleware(pipeline.sources, isWellFormed),
    authenticateMiddleware(pipeline.authenticator, pipeline.publicContract),
    authorizeMiddleware,
    readBody,
    rateLimitMiddleware(pipeline.limiter),
    requireIdempotencyKey,
    validate,
  ];
  const withPipeline = ({ route, run, decode }: BoundOperation) => ({
    route,
    ...(decode !== undefined && { decode }),
    handle: middy<Exchange, Reply>({ timeoutEarlyInMillis: 0 })
      .use(middlewares)
      .handler(withIdempotency(route, run, pipeline)),
  });
  const handlers = new Map(
    operations.flatMap((operation) => {
      const handler = withPipeline(operation);
      return answeredKeysOf(operation.route).map((key) => [key, handler] as const);
    }),
  );
  const fallbackHandler = fallback === undefined ? undefined : withPipeline(fallback);

  const answer = async (gateway: APIGatewayProxyEventV2, lambda: Context) => {
    const selected = handlers.get(gateway.routeKey) ?? fallbackHandler;
    if (selected === undefined) throw new Error(`no operation for ${gateway.routeKey}`);
    const exchange: Exchange = {
      gateway,
      lambda,
      route: selected.route,
      trace: traceOf(gateway.headers['traceparent']),
      sourceIp: clientAddressOf(gateway, pipeline.trustedProxies),
      receivedAt: pipeline.clock(),
      headers: {},
      degraded: [],
      isCharged: false,
      body: { kind: 'none' },
      ...('decode' in selected && { decode: selected.decode }),
    };
    const { baseUrl } = pipeline;
    try {
      const reply = await beforeTimeout(lambda, selected.handle(exchange, lambda));
      return toGatewayResult(exchange, reply, baseUrl);
    } catch (error) {
      return toGatewayResult(exchange, answerError(error, exchange, baseUrl), baseUrl);
    }
  };

  return withMetrics((gateway: APIGatewayProxyEventV2, lambda: Context) =>
    withinInvocation(lambda, () => answer(gateway, lambda)),
  );
};
