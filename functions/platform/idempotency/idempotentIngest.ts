import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { ClaimResult, IdempotencyClaims } from './idempotencyClaim.store.ts';
import { keyConflict, keyedRequestOf, REPLAYED_HEADER } from './idempotencyKey.ts';

/**
 * The Idempotency-Key contract for ingestion. The response follows from the request, and event ids prevent a second
 * effect. So one write before the effect is enough:
 *
 *   claim ──► effect ──► response       first call
 *   claim ──► (crash)                   retry: same claim, the effect runs again, same response, marked as a replay
 *   claim, other fingerprint            422, no effect
 *
 * The key belongs to the credential: a key is often the event id, which other producers know, and one of them could use it
 * first. A retry with another credential runs again, and event ids prevent its effect.
 * A failed call releases its claim. If the store is down, ingestion continues and sets the Degraded header (fail-open).
 * Throws IDEMPOTENCY_CONFLICT.
 */
export const idempotentIngest =
  (store: IdempotencyClaims, run: RequestHandler): RequestHandler =>
  async (exchange: Exchange) => {
    const request = keyedRequestOf(exchange, 'credential');
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
      // With the arrival time of the first call, time checks give the result of the first call.
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
