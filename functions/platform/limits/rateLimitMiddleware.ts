import { BYTES_PER_TOKEN, type RateClass } from '../../../schemas/platform/limits.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { BucketState } from './bucket.ts';
import type { Limiter } from './limiter.ts';

/** The cost of the content of a request in tokens: one per event of a batch, one for any other request. */
const costOf = ({ body, route }: Exchange): number => {
  const value = body.kind === 'value' ? body.value : undefined;
  if (route.rate !== 'ingest' || typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return Math.max(1, value.length);
  return 'events' in value && Array.isArray(value.events) ? Math.max(1, value.events.length) : 1;
};

/** The cost of the size of a body in tokens, also of a body that is refused: it was decompressed and read. */
const sizeCostOf = (exchange: Exchange): number => {
  const bytesPerToken = BYTES_PER_TOKEN[rateClassOf(exchange)];
  return exchange.body.kind === 'none' || bytesPerToken === undefined
    ? 0
    : Math.ceil(exchange.body.size / bytesPerToken);
};

const setHeaders = (exchange: Exchange, state: BucketState): void => {
  exchange.headers['ratelimit-limit'] = String(state.limit);
  exchange.headers['ratelimit-remaining'] = String(state.remaining);
  exchange.headers['ratelimit-reset'] = String(state.reset);
};

/** The bucket that a route charges. Null for routes that charge none of a credential. */
const chargedClassOf = ({ route: { rate } }: Exchange): RateClass | null =>
  rate === 'none' || rate === 'source' ? null : rate;

/** Routes without a charge return the state of the read bucket. */
const rateClassOf = (exchange: Exchange): RateClass => chargedClassOf(exchange) ?? 'read';

/**
 * Charges the bucket of the caller and sets the RateLimit headers. Throws RATE_LIMITED, PAYLOAD_TOO_LARGE for a batch
 * larger than the burst of the plan, or the error of the store. Ingestion continues without a charge if the store is down.
 */
export const charge = async (exchange: Exchange, caller: Caller, limiter: Limiter): Promise<void> => {
  const bucketOwner = {
    tenant: caller.tenant,
    principal: caller.principal,
    rateClass: rateClassOf(exchange),
  };
  let decision: Awaited<ReturnType<Limiter['charge']>>;
  exchange.isCharged = true;
  try {
    decision = await limiter.charge({
      ...bucketOwner,
      cost: costOf(exchange),
      sizeCost: sizeCostOf(exchange),
    });
  } catch (error) {
    if (exchange.route.rate !== 'ingest') throw error;
    exchange.degraded.push('rate-limit');
    return;
  }
  setHeaders(exchange, decision.state);
  if (decision.outcome === 'never') {
    throw new ProblemError(
      'PAYLOAD_TOO_LARGE',
      `The plan admits at most ${decision.state.limit} events in one request. Split the batch.`,
    );
  }
  if (decision.outcome === 'refused') {
    throw new ProblemError(
      'RATE_LIMITED',
      'The rate limit of this credential, or of its tenant, for this rate class is exhausted. Retry after Retry-After.',
      {
        headers: { 'retry-after': String(decision.retryAfter) },
      },
    );
  }
};

/**
 * Charges the bucket of the caller after authentication and authorization, so that no other party can drain it. Earlier
 * refusals, such as a missing scope, return the RateLimit headers without a charge. If the store is down, ingestion
 * continues and sets the Degraded header (fail-open), and all other routes return 503 (fail-closed).
 */
export const rateLimitMiddleware = (limiter: Limiter): Middleware => ({
  before: async ({ event: exchange }) => {
    const { caller } = exchange;
    if (caller === undefined) return;
    if (chargedClassOf(exchange) !== null) return charge(exchange, caller, limiter);
    const { tenant, principal } = caller;
    const state = await limiter.peek({ tenant, principal, rateClass: rateClassOf(exchange) });
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
