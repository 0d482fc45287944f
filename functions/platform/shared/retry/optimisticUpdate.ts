import type * as z from 'zod';
import { commit, type Revision, type Write, type WriteOptions } from '../aws/document.store.ts';
import { unavailable } from '../problem.ts';
import { CONFLICT, retryOnConflict } from './retryOnConflict.ts';

/** Optimistic lock: in each round at least one writer succeeds, so this many concurrent writers finish. */
const MAX_ATTEMPTS = 12;

/** The writes of a change, which are committed together, and what the caller needs of it. */
export interface Change<Result> {
  readonly writes: readonly Write[];
  readonly result: Result;
}

/**
 * Reads and decides in `decide`, and commits its writes. A lost race against another writer repeats both. Returns the
 * result of the committed change. Throws what `decide` throws, and a WriteConflictError after too many lost races.
 */
export const commitWithRetry = <Result>(decide: () => Promise<Change<Result>>): Promise<Result> =>
  retryOnConflict<Result>(
    async () => {
      const { writes, result } = await decide();
      return writes.length === 0 || (await commit(writes)) ? result : CONFLICT;
    },
    { maxAttempts: MAX_ATTEMPTS, subject: 'a document' },
  );

/** What a call has changed, as its transaction recorded it. */
interface RecordedEffect {
  readonly result: unknown;
  /** A secret that the call has issued. Null if there is none, and for a caller that did not issue it. */
  readonly secret: string | null;
}

/**
 * The claim of one call on its Idempotency-Key. Everything that the call creates has an id that follows from it. Its row
 * also records the effect of the call, in the transaction of the effect. So a retry knows what an earlier attempt did,
 * whatever others wrote since, and an attempt that was replaced can commit nothing.
 */
export interface Claim extends Revision {
  /** The effect that this attempt, or an earlier one, has committed. Null before. */
  effect: RecordedEffect | null;
  /** The write that records the effect. It fails if another attempt of the call has taken over. */
  readonly record: (effect: RecordedEffect) => Write;
  /** A write that changes nothing, and fails if another attempt of the call has taken over. */
  readonly guard: Write;
}

/** A change, and the secret that it issues, if any. */
export type Effect<Result> = Change<Result> & { readonly secret?: string | null };

/**
 * Carries out the effect of a call once: {@link commitWithRetry} with the record of the effect. If an earlier attempt has
 * committed it, returns the recorded result and decides nothing. `shape` parses the record.
 */
export const effectOnce = async <Result>(
  claim: Claim,
  shape: z.ZodType<Result>,
  decide: () => Promise<Effect<Result>>,
): Promise<{ readonly result: Result; readonly secret: string | null }> => {
  if (claim.effect !== null) {
    return { result: shape.parse(claim.effect.result), secret: claim.effect.secret };
  }
  const effect = await commitWithRetry(async () => {
    const { writes, result, secret = null } = await decide();
    return { writes: [...writes, claim.record({ result, secret })], result: { result, secret } };
  });
  claim.effect = effect;
  return effect;
};

/** Writes documents with random keys: none can exist before, and no retry uses the same keys. */
export const createNew = async (
  claim: string,
  writes: (options: WriteOptions) => readonly Write[],
): Promise<void> => {
  if (!(await commit(writes({ expectedRevision: null, by: { claim, attempt: 1 } }))))
    throw unavailable(new Error('a random key exists already'));
};
