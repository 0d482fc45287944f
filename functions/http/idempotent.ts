import { routeKey, takesIdempotencyKey } from '../../schemas/routes/route.ts';
import { fingerprintOf, idempotencyRecordKey, readIdempotencyKey } from '../idempotency/request.ts';
import type { ClaimResult, IdempotencyStore } from '../idempotency/store.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { ProblemError, unavailable } from './problem.ts';
import type { Step } from './step.ts';

interface Claim {
  readonly key: string;
  readonly fingerprint: string;
}

/** Refuses a mutation without a usable Idempotency-Key, before its body is looked at. */
export const requireIdempotencyKey: Step = {
  before: ({ event: exchange }) => {
    if (!takesIdempotencyKey(exchange.route)) return;
    if (readIdempotencyKey(headerOf(exchange, 'idempotency-key')) !== null) return;
    throw new ProblemError(
      'IDEMPOTENCY_KEY_REQUIRED',
      'Send an Idempotency-Key header of 1 to 255 visible ASCII characters.',
    );
  },
};

const claimOf = (exchange: Exchange): Claim | null => {
  const key = readIdempotencyKey(headerOf(exchange, 'idempotency-key'));
  if (exchange.caller === undefined || !takesIdempotencyKey(exchange.route) || key === null) return null;
  return {
    key: idempotencyRecordKey(exchange.caller.tenant.tenant_id, routeKey(exchange.route), key),
    fingerprint: fingerprintOf({
      principal: exchange.caller.principal,
      path: exchange.gateway.rawPath,
      query: exchange.gateway.rawQueryString,
      contentType: headerOf(exchange, 'content-type') ?? '',
      body: exchange.body.kind === 'value' ? exchange.body.bytes : new Uint8Array(),
    }),
  };
};

/**
 * The Idempotency-Key contract for operations whose response follows from the request and whose effect cannot
 * happen twice. One write before the effect:
 *
 *   claim ──► effect ──► response       first call
 *   claim ──► (crash)                   retry: same claim found, effect runs, same response, marked as a replay
 *   claim, other fingerprint            422, no effect
 *
 * A call that fails releases its claim. When the store is down ingestion goes on and says so.
 */
export const idempotent = (store: IdempotencyStore): Step => {
  const claims = new WeakMap<Exchange, Claim>();
  return {
    before: async ({ event: exchange }) => {
      const claim = claimOf(exchange);
      if (claim === null) return;
      let result: ClaimResult;
      try {
        result = await store.claim(claim.key, claim.fingerprint, exchange.receivedAt);
      } catch (error) {
        if (exchange.route.rate !== 'ingest') throw unavailable(error);
        exchange.degraded.push('idempotency');
        return;
      }
      if (result.kind === 'conflict') {
        throw new ProblemError(
          'IDEMPOTENCY_CONFLICT',
          'This Idempotency-Key was used before with another request.',
        );
      }
      if (result.kind === 'first') {
        claims.set(exchange, claim);
        return;
      }
      // The first call's instant, so that checks against the clock give the first call's answer.
      exchange.receivedAt = result.receivedAt;
      exchange.headers['idempotency-replayed'] = 'true';
    },
    onError: async ({ event: exchange }) => {
      delete exchange.headers['idempotency-replayed'];
      const claim = claims.get(exchange);
      if (claim !== undefined) await store.release(claim.key, claim.fingerprint).catch(() => undefined);
    },
  };
};
