import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { ClaimResult, UnderKey } from '../http/underKey.ts';
import type { IdempotencyClaims } from './idempotencyClaim.store.ts';
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
const underKeyOf =
  (exchange: Exchange): UnderKey =>
  async (store, run) => {
    const request = keyedRequestOf(exchange, 'credential');
    if (request === null) return run(exchange.receivedAt);
    let result: ClaimResult;
    try {
      result = await store.claim(request, exchange.receivedAt);
    } catch {
      exchange.degraded.push('idempotency');
      return run(exchange.receivedAt);
    }
    if (result.kind === 'conflict') throw keyConflict();
    if (result.kind === 'repeat') {
      // With the arrival time of the first call, time checks give the result of the first call.
      exchange.receivedAt = result.receivedAt;
      const reply = await run(result.receivedAt);
      exchange.headers[REPLAYED_HEADER] = 'true';
      return reply;
    }
    try {
      return await run(exchange.receivedAt);
    } catch (error) {
      await store.release(request).catch(() => undefined);
      throw error;
    }
  };

/** Claims the key of each request in a row of its own. */
export const idempotentIngest =
  (store: IdempotencyClaims, run: RequestHandler): RequestHandler =>
  (exchange) =>
    underKeyOf(exchange)(
      {
        claim: ({ recordKey, fingerprint }, now) => store.claim(recordKey, fingerprint, now),
        release: ({ recordKey, fingerprint }) => store.release(recordKey, fingerprint),
      },
      () => run(exchange),
    );

/** For an operation that holds the key itself, together with its effect. */
export const idempotentByOperation =
  (run: RequestHandler): RequestHandler =>
  (exchange) => {
    exchange.underKey = underKeyOf(exchange);
    return run(exchange);
  };
