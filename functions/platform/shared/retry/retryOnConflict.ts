/** What an attempt returns when another writer committed first. */
export const CONFLICT = Symbol('conflict');

/** Every attempt lost against another writer. Nothing was written. A route answers it with SERVICE_UNAVAILABLE. */
export class WriteConflictError extends Error {
  constructor(attempts: number, subject: string) {
    super(`Gave up after ${attempts} write conflicts on ${subject}.`);
    this.name = 'WriteConflictError';
  }
}

export interface ConflictRetryOptions {
  /**
   * With an optimistic lock, at least one writer commits in each round. N concurrent writers therefore finish in N
   * rounds, so this is the number of concurrent writers that the caller tolerates.
   */
  readonly maxAttempts: number;
  /** What is written, for the error message: `the stream of endpoint whe_…`. */
  readonly subject: string;
  /** Waits after a lost attempt. `attempt` counts from 1. Default: no wait. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}

/**
 * Reads, decides and commits again until an attempt does not end in a conflict, and returns its result. `attempt` must
 * read again each time. Throws what `attempt` throws, and a {@link WriteConflictError} after the last conflict.
 */
export const retryOnConflict = async <Result>(
  attempt: (number: number) => Promise<Result | typeof CONFLICT>,
  { maxAttempts, subject, pause }: ConflictRetryOptions,
): Promise<Result> => {
  for (let number = 1; number <= maxAttempts; number += 1) {
    const result = await attempt(number);
    if (result !== CONFLICT) return result;
    if (number < maxAttempts) await pause?.(number);
  }
  throw new WriteConflictError(maxAttempts, subject);
};
