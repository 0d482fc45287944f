import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyPersistenceLayerError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import * as z from 'zod';
import { FieldError } from '../../../schemas/fieldError.ts';
import { type ErrorCode, errorCodes } from '../../../schemas/problems.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestHandler } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.aws.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Claim } from '../shared/retry/optimisticUpdate.ts';
import type { Clock } from '../shared/time/clock.ts';
import { claimOf } from './claim.ts';
import { keyedRequestOf, REPLAYED_HEADER } from './idempotencyKey.ts';
import { LeasePersistence } from './leasePersistence.ts';
import {
  openForAnyone,
  replayTo,
  type SealedRow,
  StoredReply,
  sealForAnyone,
  toStoredReply,
} from './replay.ts';
import type { ResponseStore } from './response.store.ts';

/** The stored outcome of a call. A refusal is stored as its code, so that each replay returns its own trace id. */
const StoredOutcome = z.union([
  StoredReply,
  z.object({ refusal: z.enum(errorCodes), detail: z.string(), errors: z.array(FieldError) }),
]);
type StoredOutcome = z.infer<typeof StoredOutcome>;

/** Refusals that are stored and replayed: the same request would be refused again. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'CONFLICT',
  'NO_SCOPE',
  'RESIDENCY_BLOCKED',
  'VALIDATION_FAILED',
]);

/**
 * Runs the operation and returns its outcome. Rethrows errors that a retry may resolve, such as an outage. A call that has
 * taken effect is not refused for good: the refusal would hide the effect.
 */
const runToOutcome = async (
  claim: Claim,
  run: () => Promise<Reply>,
  toStored: (reply: Reply) => StoredReply,
): Promise<StoredOutcome> => {
  try {
    return toStored(await run());
  } catch (error) {
    if (error instanceof ProblemError && FINAL_CODES.has(error.code) && claim.effect === null) {
      return { refusal: error.code, detail: error.detail, errors: [...(error.options.errors ?? [])] };
    }
    throw error;
  }
};

/** POWERTOOLS_IDEMPOTENCY_DISABLED switches the library off in tests. A setting must not switch off this contract. */
class EnabledConfig extends IdempotencyConfig {
  override isEnabled(): boolean {
    return true;
  }
}

/** The library wraps what the persistence layer threw, such as an outage of the store. Other errors are the operation's. */
const unwrap = (error: unknown): unknown => {
  if (error instanceof IdempotencyAlreadyInProgressError) {
    return new ProblemError(
      'IDEMPOTENCY_IN_PROGRESS',
      'The first call with this Idempotency-Key is still running. Repeat the request after Retry-After.',
      { headers: { 'retry-after': '1' } },
    );
  }
  return error instanceof IdempotencyPersistenceLayerError ? error.cause : error;
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
 *   lease ──► (crash)                                       retry after the lease: runs under the same claim
 *   lease ──► effect ──► (crash)                            retry after the lease: the effect is in the row of the claim,
 *                                                           with its result, from which the response follows
 *   leased                                                  409 after a short wait
 *   other fingerprint                                       422, in any state
 *
 * A response is sent only after it is stored. If the store is down, the call fails with 503 (fail-closed).
 * Throws IDEMPOTENCY_CONFLICT, IDEMPOTENCY_IN_PROGRESS, or the error of the store.
 */
export const idempotentResponse =
  ({ store, sealing, random }: StoredResponses, clock: Clock, run: RequestHandler): RequestHandler =>
  async (exchange: Exchange) => {
    const request = keyedRequestOf(exchange, 'tenant');
    const { caller } = exchange;
    if (request === null || caller === undefined) return run(exchange);
    // Derived before the lease is taken. Otherwise an outage of KMS would block the call until the lease expires.
    const stack = await sealing();
    const row: SealedRow = { ...request, stack, random };
    const persistence = new LeasePersistence({ store, request, exchange, clock });
    const runOnce = makeIdempotent(
      async (_recordKey: string) => {
        const { claim, committer } = claimOf(persistence.held(), { store, caller, row });
        exchange.claim = claim;
        const toStored = (reply: Reply) =>
          toStoredReply(reply, { route: exchange.route, caller, committer }, row);
        return sealForAnyone(JSON.stringify(await runToOutcome(claim, () => run(exchange), toStored)), row);
      },
      {
        persistenceStore: persistence,
        config: new EnabledConfig({
          lambdaContext: exchange.lambda,
          responseHook: (sealed) => {
            exchange.headers[REPLAYED_HEADER] = 'true';
            return sealed;
          },
        }),
      },
    );
    const sealed = await runOnce(request.recordKey).catch((error: unknown) => {
      throw unwrap(error);
    });
    const outcome = StoredOutcome.parse(JSON.parse(openForAnyone(sealed, row)));
    if (!('refusal' in outcome)) return replayTo(caller, outcome, row);
    const { refusal, detail, errors } = outcome;
    throw new ProblemError(refusal, detail, errors.length > 0 ? { errors } : {});
  };
