import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { routeKey } from '../../schemas/routes/route.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { IdempotencyStore } from '../idempotency/store.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Clock } from '../shared/clock.ts';
import { authenticate } from './authenticate.ts';
import { authorise } from './authorise.ts';
import type { Exchange } from './exchange.ts';
import { idempotent, requireIdempotencyKey } from './idempotent.ts';
import { limit } from './limit.ts';
import type { BoundOperation } from './operation.ts';
import { unavailable } from './problem.ts';
import { problems } from './problems.ts';
import { readBody } from './readBody.ts';
import type { Reply } from './reply.ts';
import { traceOf } from './trace.ts';
import { tracing } from './tracing.ts';
import { validate } from './validate.ts';

/** Milliseconds before the function's own time-out at which the caller is told, in a problem, to try again. */
const EARLY_TIMEOUT = 250;

export interface Onion {
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly idempotency?: IdempotencyStore;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly publicContract: boolean;
}

const render = (exchange: Exchange, { status, headers, body }: Reply): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...exchange.headers,
    ...(exchange.degraded.length > 0 && { degraded: exchange.degraded.join(', ') }),
  },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/**
 * The Lambda handler of a unit: dispatch by the gateway's route key, and the onion around each operation.
 * `fallback` answers what no route matches.
 */
export const unit = (operations: readonly BoundOperation[], onion: Onion, fallback?: BoundOperation) => {
  const steps = [
    tracing,
    problems(onion.baseUrl),
    authenticate(onion.authenticator, onion.publicContract),
    authorise,
    readBody,
    limit(onion.limiter),
    requireIdempotencyKey,
    validate,
    ...(onion.idempotency === undefined ? [] : [idempotent(onion.idempotency)]),
  ];
  const serve = ({ route, run }: BoundOperation) => ({
    route,
    handle: middy<Exchange, Reply>({
      timeoutEarlyInMillis: EARLY_TIMEOUT,
      timeoutEarlyResponse: () => {
        throw unavailable(new Error('the operation ran out of time'));
      },
    })
      .use(steps)
      .handler(run),
  });
  const served = new Map(operations.map((operation) => [routeKey(operation.route), serve(operation)]));
  const unknown = fallback === undefined ? undefined : serve(fallback);

  return async (
    gateway: APIGatewayProxyEventV2,
    lambda: Context,
  ): Promise<APIGatewayProxyStructuredResultV2> => {
    const found = served.get(gateway.routeKey) ?? unknown;
    if (found === undefined) throw new Error(`no operation for ${gateway.routeKey}`);
    const exchange: Exchange = {
      gateway,
      lambda,
      route: found.route,
      trace: traceOf(gateway.headers['traceparent']),
      receivedAt: onion.clock(),
      headers: {},
      degraded: [],
      body: { kind: 'none' },
    };
    return render(exchange, await found.handle(exchange, lambda));
  };
};
