import * as z from 'zod';
import { type ErrorCode, errorCodes, FieldError } from '../../schemas/problems.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import { ProblemError, unavailable } from '../shared/problem.ts';
import type { Clock } from '../shared/time/clock.ts';
import { type KeyedRequest, keyConflict, keyedRequestOf, REPLAYED_HEADER } from './idempotencyKey.ts';
import {
  openForAnyone,
  replayTo,
  type SealedRow,
  StoredReply,
  sealForAnyone,
  toStoredReply,
} from './replay.ts';
import type { BeginResult, ResponseStore } from './response.store.ts';

/** A lease ends this long after the timeout of its function, to allow for clock differences between functions. */
const LEASE_MARGIN_MS = 2_000;
/** The delays of a duplicate that waits for the first call. After the last one it returns 409. */
const RETRY_DELAYS_MS = [0, 50, 100, 200, 400];

/** The stored outcome of a call. A refusal is stored as its code, so that each replay returns its own trace id. */
const StoredOutcome = z.union([
  StoredReply,
  z.object({ refusal: z.enum(errorCodes), detail: z.string(), errors: z.array(FieldError) }),
]);
type StoredOutcome = z.infer<typeof StoredOutcome>;

type Outcome = Reply | Exclude<StoredOutcome, StoredReply>;

/** Refusals that are stored and replayed: the same request would be refused again. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'CONFLICT',
  'NO_SCOPE',
  'RESIDENCY_BLOCKED',
  'VALIDATION_FAILED',
]);

/** Runs the operation and returns its outcome. Rethrows errors that a retry may resolve, such as an outage. */
const runToOutcome = async (run: () => Promise<Reply>): Promise<Outcome> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ProblemError && FINAL_CODES.has(error.code)) {
      return { refusal: error.code, detail: error.detail, errors: [...(error.options.errors ?? [])] };
    }
    throw error;
  }
};

const toReply = (outcome: Outcome): Reply => {
  if (!('refusal' in outcome)) return outcome;
  const { refusal, detail, errors } = outcome;
  throw new ProblemError(refusal, detail, errors.length > 0 ? { errors } : {});
};

export interface StoredResponses {
  readonly store: ResponseStore;
  readonly sealing: DerivedKey;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * The Idempotency-Key contract for operations that create or change something. The effect happens once, and every retry
 * within 24 hours gets the same response. The response is stored encrypted; the encryption key is derived from the
 * Idempotency-Key. A retry may come from another credential of the tenant; `replay.ts` withholds what it may not see.
 *
 *   lease ──► effect ──► response stored ──► response sent  first call
 *   lease ──► effect ──► (crash)                            retry after the lease: continues under the same claim,
 *                                                           which determines the ids of everything the call creates
 *   leased                                                  409 after a short wait
 *   other fingerprint                                       422, in any state
 *
 * A response is sent only after it is stored. If the store is down, the call fails with 503 (fail-closed).
 * Throws IDEMPOTENCY_CONFLICT, IDEMPOTENCY_IN_PROGRESS or SERVICE_UNAVAILABLE.
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
    // Derived before the lease is taken. Otherwise an outage of KMS would block the call until the lease expires.
    const { idempotencyKey, recordKey } = request;
    const row: SealedRow = { recordKey, stack: await sealing().catch(fail), idempotencyKey, random };
    const begun = await begin(store, request, exchange, clock).catch(fail);
    if (begun.kind === 'conflict') throw keyConflict();
    if (begun.kind === 'running') {
      throw new ProblemError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The first call with this Idempotency-Key is still running. Repeat the request after Retry-After.',
        {
          headers: { 'retry-after': '1' },
        },
      );
    }
    if (begun.kind === 'ended') {
      exchange.headers[REPLAYED_HEADER] = 'true';
      const stored = StoredOutcome.parse(JSON.parse(openForAnyone(begun.sealed, row)));
      return 'refusal' in stored ? toReply(stored) : replayTo(caller, stored, row);
    }
    const { claim } = begun;
    exchange.receivedAt = claim.receivedAt;
    // The key may be reused after 24 hours, so the claim includes the arrival time.
    exchange.claim = { claim: `${claim.key}#${claim.receivedAt}`, attempt: claim.attempt };
    try {
      const outcome = await runToOutcome(() => run(exchange));
      const stored: StoredOutcome =
        'refusal' in outcome ? outcome : toStoredReply(outcome, exchange.route, caller, row);
      await store.end(claim, sealForAnyone(JSON.stringify(stored), row)).catch(fail);
      return toReply(outcome);
    } catch (error) {
      await store.abandon(claim).catch(() => undefined);
      throw error;
    }
  };

/** Takes the lease of the call. While another call holds it, waits briefly for the other to finish. */
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
    const lease = clock() + exchange.lambda.getRemainingTimeInMillis() + LEASE_MARGIN_MS;
    const begun = await store.begin(recordKey, fingerprint, now, lease);
    if (begun.kind !== 'running') return begun;
  }
  return { kind: 'running' };
};
