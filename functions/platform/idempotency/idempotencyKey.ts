import { routeKey, takesIdempotencyKey } from '../../../schemas/routes/route.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import type { KeyedRequest } from '../http/underKey.ts';
import { ProblemError } from '../shared/problem.ts';
import { fingerprintOf, idempotencyRecordKey, parseIdempotencyKey } from './requestIdentity.ts';

const headerProblem = (code: 'IDEMPOTENCY_KEY_REQUIRED' | 'IDEMPOTENCY_CONFLICT', detail: string) =>
  new ProblemError(code, detail, { errors: [{ header: 'Idempotency-Key', detail }] });

/** Throws IDEMPOTENCY_KEY_REQUIRED for a mutation without a valid Idempotency-Key, before its body is validated. */
export const requireIdempotencyKey: Middleware = {
  before: ({ event: exchange }) => {
    if (!takesIdempotencyKey(exchange.route)) return;
    if (parseIdempotencyKey(headerOf(exchange, 'idempotency-key')) !== null) return;
    throw headerProblem(
      'IDEMPOTENCY_KEY_REQUIRED',
      'Send one Idempotency-Key header of 1 to 255 visible ASCII characters. A key with a comma needs quotes.',
    );
  },
};

/**
 * The keyed request, or null if the request takes no Idempotency-Key. Its key belongs to all credentials of the tenant, or to
 * that of the caller alone.
 */
export const keyedRequestOf = (exchange: Exchange, owner: 'tenant' | 'credential'): KeyedRequest | null => {
  const idempotencyKey = parseIdempotencyKey(headerOf(exchange, 'idempotency-key'));
  const { caller, route } = exchange;
  if (caller === undefined || !takesIdempotencyKey(route) || idempotencyKey === null) return null;
  return {
    idempotencyKey,
    recordKey: idempotencyRecordKey(
      caller.tenant.tenant_id,
      routeKey(route),
      idempotencyKey,
      ...(owner === 'credential' ? [caller.principal] : []),
    ),
    fingerprint: fingerprintOf({
      path: exchange.gateway.rawPath,
      query: exchange.gateway.rawQueryString,
      body: exchange.body.kind === 'value' ? exchange.body.bytes : new Uint8Array(),
    }),
  };
};

export const REPLAYED_HEADER = 'idempotency-replayed';

export const keyConflict = () =>
  headerProblem(
    'IDEMPOTENCY_CONFLICT',
    'This Idempotency-Key was used with another request in the last 24 hours. Use a new key.',
  );
