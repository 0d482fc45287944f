import type { Problem } from '../../schemas/problems.ts';
import { problemTypes } from '../../schemas/problems.ts';

/** Initial and maximum backoff after a failure without Retry-After. */
const BACKOFF_INITIAL_MS = 250;
const BACKOFF_MAXIMUM_MS = 10_000;
/** Maximum jitter, as a part of Retry-After, so that throttled callers do not all retry at the same instant. */
const JITTER_SHARE = 0.25;

/**
 * Whether the identical request can succeed later. A failure without a problem is one of the gateway: also 500, which it answers
 * when a function crashed or took too long. No request here has a second effect: each reads, or has an Idempotency-Key.
 */
export const isRetryable = (status: number, problem: Pick<Problem, 'error_code'> | undefined): boolean =>
  problem === undefined ? status === 429 || status >= 500 : problemTypes[problem.error_code].retryable;

/** The seconds of a Retry-After header. Undefined if it is missing or a date, which the service never sends. */
export const parseRetryAfter = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

/**
 * Milliseconds until the next attempt: Retry-After plus jitter, or else exponential backoff with full jitter.
 * `attempt` counts failures from 1, `random` is in [0, 1).
 */
export const retryDelayMs = (attempt: number, retryAfter: number | undefined, random: number): number => {
  if (retryAfter !== undefined) {
    const requested = retryAfter * 1_000;
    return requested + random * Math.max(requested * JITTER_SHARE, BACKOFF_INITIAL_MS);
  }
  return random * Math.min(BACKOFF_MAXIMUM_MS, BACKOFF_INITIAL_MS * 2 ** Math.min(attempt, 20));
};
