import {
  commit,
  type Revision,
  type Versioned,
  type Write,
  type WriteOptions,
} from '../aws/document.store.ts';
import { ProblemError, unavailable } from '../problem.ts';
import { CONFLICT, retryOnConflict } from './retryOnConflict.ts';

/** Optimistic lock: in each round at least one writer succeeds, so this many concurrent writers finish. */
const MAX_ATTEMPTS = 12;

/** An attempt whose lease expired must not overwrite the work of the next attempt. */
const supersededAttempt = () => unavailable(new Error('another attempt of this call has taken over'));

/** Whether an earlier attempt of this call, which crashed before it responded, wrote the document last. */
const isOwnWrite = ({ revision }: Versioned<unknown>, claim: Revision): boolean => {
  if (revision.claim !== claim.claim) return false;
  if (revision.attempt >= claim.attempt) throw supersededAttempt();
  return true;
};

/**
 * Writes a new resource. Its id follows from the claim of the call, so a retry finds what a crashed attempt created and
 * overwrites it. This is safe, because the secret of the crashed attempt was never returned.
 * Throws SERVICE_UNAVAILABLE if another attempt of the call has taken over.
 */
export const createOnce = async (
  claim: Revision,
  read: () => Promise<Versioned<unknown> | null>,
  writes: (current: Revision | null) => readonly Write[],
): Promise<void> => {
  const current = claim.attempt === 1 ? null : await read();
  if (current !== null && !isOwnWrite(current, claim)) throw supersededAttempt();
  if (!(await commit(writes(current?.revision ?? null)))) throw supersededAttempt();
};

/** Writes documents with random keys: none can exist before, and no retry uses the same keys. */
export const createNew = async (
  claim: string,
  writes: (options: WriteOptions) => readonly Write[],
): Promise<void> => {
  if (!(await commit(writes({ expectedRevision: null, by: { claim, attempt: 1 } }))))
    throw supersededAttempt();
};

/**
 * Read-modify-write with an optimistic lock. `decide` receives the current document and whether an earlier attempt of
 * this call has already changed it; it returns the writes, or null if there is nothing to do. A lost race repeats both.
 * Throws NOT_FOUND if there is no document, and a WriteConflictError after too many lost races.
 */
export const updateWithRetry = async <Document>(
  claim: Revision,
  read: () => Promise<Versioned<Document> | null>,
  decide: (
    current: Versioned<Document>,
    isRetry: boolean,
  ) => readonly Write[] | null | Promise<readonly Write[] | null>,
): Promise<void> => {
  const updateOnce = async (): Promise<undefined | typeof CONFLICT> => {
    const current = await read();
    if (current === null) throw new ProblemError('NOT_FOUND', 'There is no such resource.');
    const writes = await decide(current, isOwnWrite(current, claim));
    return writes === null || (await commit(writes)) ? undefined : CONFLICT;
  };
  await retryOnConflict(updateOnce, { maxAttempts: MAX_ATTEMPTS, subject: 'a document' });
};
