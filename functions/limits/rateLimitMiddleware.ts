import type { Exchange } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError, unavailable } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { BucketState } from './bucket.ts';
import type { Limiter } from './limiter.ts';

/** What a request costs: a batch its events, everything else one. */
const costOf = (exchange: Exchange): number => {
  const value = exchange.body.kind === 'value' ? exchange.body.value : undefined;
  if (exchange.route.rate !== 'ingest' || typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return Math.max(1, value.length);
  return 'events' in value && Array.isArray(value.events) ? Math.max(1, value.events.length) : 1;
};

const setHeaders = (exchange: Exchange, state: BucketState): void => {
  exchange.headers['ratelimit-limit'] = String(state.limit);
  exchange.headers['ratelimit-remaining'] = String(state.remaining);
  exchange.headers['ratelimit-reset'] = String(state.reset);
};

/** Routes that cost nothing still tell the reader's budget. */
const rateClassOf = (exchange: Exchange) => (exchange.route.rate === 'none' ? 'read' : exchange.route.rate);

/** Takes the call's tokens from the caller's bucket and tells what is left. Throws RATE_LIMITED, or PAYLOAD_TOO_LARGE for a batch no bucket of the plan can hold. */
export const charge = async (exchange: Exchange, caller: Caller, limiter: Limiter): Promise<void> => {
  const account = { tenant: caller.tenant, principal: caller.principal, rateClass: rateClassOf(exchange) };
  let decision: Awaited<ReturnType<Limiter['charge']>>;
  exchange.isCharged = true;
  try {
    decision = await limiter.charge({ ...account, cost: costOf(exchange) });
  } catch (error) {
    if (exchange.route.rate !== 'ingest') throw unavailable(error);
    exchange.degraded.push('rate-limit');
    return;
  }
  setHeaders(exchange, decision.state);
  if (decision.outcome === 'never') {
    throw new ProblemError(
      'PAYLOAD_TOO_LARGE',
      `The plan admits at most ${decision.state.limit} events at once.`,
    );
  }
  if (decision.outcome === 'refused') {
    throw new ProblemError('RATE_LIMITED', 'The rate limit of this credential and route class is used up.', {
      headers: { 'retry-after': String(decision.state.reset) },
    });
  }
};

/**
 * Charges the caller's bucket, after its secret was verified and its scope found, so that nobody drains another's.
 * Refusals that come earlier (a missing scope) tell the budget without charging it.
 * When the store is down ingestion goes on uncharged and says so; everything else answers 503.
 */
export const rateLimitMiddleware = (limiter: Limiter): Middleware => ({
  before: async ({ event: exchange }) => {
    const { caller, route } = exchange;
    if (caller === undefined) return;
    if (route.rate !== 'none') return charge(exchange, caller, limiter);
    const { tenant, principal } = caller;
    const state = await limiter
      .peek({ tenant, principal, rateClass: rateClassOf(exchange) })
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    setHeaders(exchange, state);
  },
  onError: async ({ event: exchange }) => {
    if (exchange.caller === undefined || exchange.headers['ratelimit-limit'] !== undefined) return;
    if (exchange.degraded.includes('rate-limit')) return;
    const { tenant, principal } = exchange.caller;
    const state = await limiter
      .peek({ tenant, principal, rateClass: rateClassOf(exchange) })
      .catch(() => undefined);
    if (state !== undefined) setHeaders(exchange, state);
  },
});
