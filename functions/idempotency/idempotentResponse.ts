import * as z from 'zod';
import { type ErrorCode, errorCodes, FieldError } from '../../schemas/problems.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import type { Clock } from '../shared/clock.ts';
import { ProblemError, unavailable } from '../shared/problem.ts';
import { type KeyedRequest, keyConflict, keyedRequestOf, REPLAYED_HEADER } from './idempotencyKey.ts';
import type { BeginResult, ResponseStore } from './response.store.ts';
import { type SealSecrets, sealResponse, unsealResponse } from './sealResponse.ts';

/** A lease outlasts its function by this much: two functions' clocks never agree exactly. */
const LEASE_MARGIN_MILLISECONDS = 2_000;
/** How long a duplicate waits for the first call before it is told to come again. */
const RETRY_DELAYS_MS = [0, 50, 100, 200, 400];

/** What a call ended with. A refusal is kept as such, so that each replay of it names its own trace. */
const StoredOutcome = z.union([
  z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
  z.object({ refusal: z.enum(errorCodes), detail: z.string(), errors: z.array(FieldError) }),
]);
type StoredOutcome = z.infer<typeof StoredOutcome>;

/** Refusals that the same request meets again whenever it comes. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'CONFLICT',
  'NO_SCOPE',
  'RESIDENCY_BLOCKED',
  'VALIDATION_FAILED',
]);

/** How a run ended. Throws what should be tried again: an outage, a failure of ours. */
const runToOutcome = async (run: () => Promise<Reply>): Promise<StoredOutcome> => {
  try {
    const { status, headers, body } = await run();
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: { ...headers }, body: text ?? '' };
  } catch (error) {
    if (error instanceof ProblemError && FINAL_CODES.has(error.code)) {
      return { refusal: error.code, detail: error.detail, errors: [...(error.options.errors ?? [])] };
    }
    throw error;
  }
};

const toReply = (ending: StoredOutcome): Reply => {
  if (!('refusal' in ending)) return ending;
  const { refusal, detail, errors } = ending;
  throw new ProblemError(refusal, detail, errors.length > 0 ? { errors } : {});
};

export interface StoredResponses {
  readonly store: ResponseStore;
  readonly sealing: DerivedKey;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * The Idempotency-Key contract for operations that bring something about: the effect happens once, and its response,
 * secrets included, is the answer to every retry for 24 hours. It is kept sealed under the caller's own key.
 *
 *   lease ──► effect ──► response stored ──► answered      first call
 *   lease ──► effect ──► (crash)                           retry after the lease: goes on under the same claim,
 *                                                          from which every id the call makes follows
 *   leased                                                 409 after a short wait
 *   other fingerprint                                      422, whatever the state
 *
 * Only when a response is stored is it sent. The store being down is a 503: control operations fail closed.
 */
export const idempotentResponse =
  ({ store, sealing, random }: StoredResponses, clock: Clock, run: RequestHandler): RequestHandler =>
  async (exchange: Exchange) => {
    const request = keyedRequestOf(exchange);
    const { caller } = exchange;
    if (request === null || caller === undefined) return run(exchange);
    const fail = (error: unknown): never => {
      throw unavailable(error);
    };
    // Had before the lease is taken: an outage of its key would otherwise hold the call up for as long as the lease.
    const secrets: SealSecrets = {
      stack: await sealing().catch(fail),
      idempotencyKey: request.idempotencyKey,
      principal: caller.principal,
    };
    const begun = await begin(store, request, exchange, clock).catch(fail);
    if (begun.kind === 'conflict') throw keyConflict();
    if (begun.kind === 'running') {
      throw new ProblemError('IDEMPOTENCY_IN_PROGRESS', 'The first call with this key is still running.', {
        headers: { 'retry-after': '1' },
      });
    }
    if (begun.kind === 'ended') {
      exchange.headers[REPLAYED_HEADER] = 'true';
      return toReply(
        StoredOutcome.parse(JSON.parse(unsealResponse(begun.sealed, request.recordKey, secrets))),
      );
    }
    const { claim } = begun;
    exchange.receivedAt = claim.receivedAt;
    // The key may be used again after its 24 hours: only with the instant does it name one call.
    exchange.claim = { claim: `${claim.key}#${claim.receivedAt}`, attempt: claim.attempt };
    try {
      const ending = await runToOutcome(() => run(exchange));
      const sealed = sealResponse(JSON.stringify(ending), request.recordKey, secrets, random);
      await store.end(claim, sealed).catch(fail);
      return toReply(ending);
    } catch (error) {
      await store.abandon(claim).catch(() => undefined);
      throw error;
    }
  };

/** Begins the call; while another holds it, waits a little for that one to end. */
const begin = async (
  store: ResponseStore,
  { recordKey, fingerprint }: KeyedRequest,
  exchange: Exchange,
  clock: Clock,
): Promise<BeginResult> => {
  let now = exchange.receivedAt;
  for (const wait of RETRY_DELAYS_MS) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    now += wait;
    const lease = clock() + exchange.lambda.getRemainingTimeInMillis() + LEASE_MARGIN_MILLISECONDS;
    const begun = await store.begin(recordKey, fingerprint, now, lease);
    if (begun.kind !== 'running') return begun;
  }
  return { kind: 'running' };
};
