import type { Problem } from '../../schemas/problems.ts';
import { problemTypes } from '../../schemas/problems.ts';

/** First and longest wait after a failure that names none, in milliseconds. */
const BACKOFF_FIRST = 250;
const BACKOFF_LONGEST = 10_000;
/** Part of a named wait that is added at random at most, so that throttled callers do not return in one instant. */
const JITTER_SHARE = 0.25;

/** Statuses of the gateway itself, which may carry no problem body. */
const GATEWAY_FAULTS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether the identical request can succeed later. */
export const isRetryable = (status: number, problem: Pick<Problem, 'error_code'> | undefined): boolean =>
  status === 429 ||
  GATEWAY_FAULTS.has(status) ||
  (problem !== undefined && problemTypes[problem.error_code].retryable);

/** The seconds of a Retry-After header; undefined when missing or a date, which the service never sends. */
export const parseRetryAfter = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

/**
 * Milliseconds until the next attempt: at least what the service asked for, plus jitter; otherwise exponential with
 * full jitter. `attempt` counts failures from 1, `random` is in [0, 1).
 */
export const retryDelayMs = (attempt: number, retryAfter: number | undefined, random: number): number => {
  if (retryAfter !== undefined) {
    const requested = retryAfter * 1_000;
    return requested + random * Math.max(requested * JITTER_SHARE, BACKOFF_FIRST);
  }
  return random * Math.min(BACKOFF_LONGEST, BACKOFF_FIRST * 2 ** Math.min(attempt, 20));
};
