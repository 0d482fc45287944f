import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { ClaimResult, IdempotencyClaims } from './idempotencyClaim.store.ts';
import { keyConflict, keyedRequestOf, REPLAYED_HEADER } from './idempotencyKey.ts';

/**
 * The Idempotency-Key contract for ingestion, whose response follows from the request and whose effect cannot
 * happen twice (event ids). One write before the effect, none after it:
 *
 *   claim ──► effect ──► response       first call
 *   claim ──► (crash)                   retry: same claim found, effect runs, same response, marked as a replay
 *   claim, other fingerprint            422, no effect
 *
 * A call that fails releases its claim. When the store is down ingestion goes on and says so.
 */
export const idempotentIngest =
  (store: IdempotencyClaims, run: RequestHandler): RequestHandler =>
  async (exchange: Exchange) => {
    const request = keyedRequestOf(exchange);
    if (request === null) return run(exchange);
    let result: ClaimResult;
    try {
      result = await store.claim(request.recordKey, request.fingerprint, exchange.receivedAt);
    } catch {
      exchange.degraded.push('idempotency');
      return run(exchange);
    }
    if (result.kind === 'conflict') throw keyConflict();
    if (result.kind === 'repeat') {
      // The first call's instant, so that checks against the clock give the first call's answer.
      exchange.receivedAt = result.receivedAt;
      const reply = await run(exchange);
      exchange.headers[REPLAYED_HEADER] = 'true';
      return reply;
    }
    try {
      return await run(exchange);
    } catch (error) {
      await store.release(request.recordKey, request.fingerprint).catch(() => undefined);
      throw error;
    }
  };
