import {
  commit,
  type Revision,
  type Versioned,
  type Write,
  type WriteOptions,
} from './aws/document.store.ts';
import { ProblemError, unavailable } from './problem.ts';

/** Of callers that change one thing at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 12;

/** An attempt that was given up for dead must leave what its successor does alone. */
const supersededAttempt = () => unavailable(new Error('another attempt of this call went on'));

/** Whether the document was written last by this very call: by an attempt that crashed before it could answer. */
const isOwnWrite = (found: Versioned<unknown>, claim: Revision): boolean => {
  if (found.revision.claim !== claim.claim) return false;
  if (found.revision.attempt >= claim.attempt) throw supersededAttempt();
  return true;
};

/**
 * Writes what a call makes. Its id follows from the call's claim, so a later attempt finds what an earlier one made
 * and writes over it: nobody was ever told of the secret it was made with.
 */
export const createOnce = async (
  claim: Revision,
  read: () => Promise<Versioned<unknown> | null>,
  writes: (seen: Revision | null) => readonly Write[],
): Promise<void> => {
  const found = claim.attempt === 1 ? null : await read();
  if (found !== null && !isOwnWrite(found, claim)) throw supersededAttempt();
  if (!(await commit(writes(found?.revision ?? null)))) throw supersededAttempt();
};

/** Writes what is named by fresh random bits: nothing can be there before it, and no later attempt knows the name. */
export const createNew = async (
  claim: string,
  writes: (options: WriteOptions) => readonly Write[],
): Promise<void> => {
  if (!(await commit(writes({ expectedRevision: null, by: { claim, attempt: 1 } }))))
    throw supersededAttempt();
};

/**
 * Changes what is there, on top of whatever others change at the same time. `decide` is given the document as it is,
 * and whether an earlier attempt of this call has changed it already; null when there is nothing to do.
 * Throws NOT_FOUND, or SERVICE_UNAVAILABLE when others change it too often.
 */
export const updateWithRetry = async <Document>(
  claim: Revision,
  read: () => Promise<Versioned<Document> | null>,
  decide: (found: Versioned<Document>, isRetry: boolean) => readonly Write[] | null,
): Promise<void> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await read();
    if (found === null) throw new ProblemError('NOT_FOUND', 'There is no such resource.');
    const writes = decide(found, isOwnWrite(found, claim));
    if (writes === null || (await commit(writes))) return;
  }
  throw unavailable(new Error('too many changes at once'));
};
