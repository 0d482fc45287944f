import { isThrottlingError, StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryErrorInfo, RetryStrategyV2, RetryToken, StandardRetryToken } from '@smithy/types';
import { measure } from '../../metrics.ts';
import { ThrottledError } from '../../retry/throttledError.ts';
import { patienceMs, remainingTimeMs } from '../../time/invocationTime.ts';

/** Attempts of a call that fails for another reason than throttling. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** Kept free at the end of an invocation, to report the failure instead of a timeout of the function. */
const RESERVED_MS = 2_000;

/**
 * The pause after a throttled attempt, in milliseconds. `attempt` counts from 1. Full jitter: uniform from 0 to a cap that
 * starts at 50 ms and doubles up to one second, so that throttled callers do not return together. `uniform` is in [0, 1).
 */
export const throttlePauseMs = (attempt: number, uniform: () => number): number =>
  uniform() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));

/** How long a call that starts now may be repeated while it is throttled, in milliseconds. */
export const throttleTimeoutMs = (now: number): number =>
  Math.max(0, Math.min(patienceMs(), remainingTimeMs(now) - RESERVED_MS));

/** The state of one call: the retry token for other errors, the throttled attempts, and the end of throttle retries. */
class CallToken implements RetryToken {
  readonly others: StandardRetryToken;
  readonly throttles: number;
  readonly throttledUntil: number;
  readonly #pauseMs: number;

  constructor(others: StandardRetryToken, throttles: number, throttledUntil: number, pauseMs: number) {
    this.others = others;
    this.throttles = throttles;
    this.throttledUntil = throttledUntil;
    this.#pauseMs = pauseMs;
  }

  getRetryCount(): number {
    return this.others.getRetryCount() + this.throttles;
  }

  getRetryDelay(): number {
    return this.#pauseMs;
  }
}

/**
 * Repeats a throttled call until it succeeds or its time is over, and other failed calls like the SDK. The SDK alone makes
 * three attempts, and stops repeating at all after a hundred throttled calls of a process. A throttled call had no effect,
 * so repeating it is safe for every operation.
 */
export const throttleRetryStrategy = (
  now: () => number = Date.now,
  uniform: () => number = Math.random,
): RetryStrategyV2 => {
  const standard = new StandardRetryStrategy(MAX_ATTEMPTS);
  const callTokenOf = (token: RetryToken): CallToken => {
    if (token instanceof CallToken) return token;
    throw new Error('The retry token is of another strategy');
  };
  return {
    acquireInitialRetryToken: async (scope) => {
      const startedAt = now();
      const others = await standard.acquireInitialRetryToken(scope);
      return new CallToken(others, 0, startedAt + throttleTimeoutMs(startedAt), 0);
    },
    refreshRetryTokenForRetry: async (token, error: RetryErrorInfo) => {
      const { others, throttles, throttledUntil } = callTokenOf(token);
      if (error.errorType !== 'THROTTLING') {
        const next = await standard.refreshRetryTokenForRetry(others, error);
        return new CallToken(next, throttles, throttledUntil, 0);
      }
      measure('throttled');
      const pauseMs = throttlePauseMs(throttles + 1, uniform);
      if (now() + pauseMs >= throttledUntil) throw new Error('The call was throttled for too long');
      return new CallToken(others, throttles + 1, throttledUntil, pauseMs);
    },
    recordSuccess: (token) => standard.recordSuccess(callTokenOf(token).others),
  };
};

/** Cancellation codes of a transaction that exceeded the throughput of a table or partition. It had no effect. */
const THROTTLE_CODES = ['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'];

/** Whether a cancellation code says that the transaction was throttled, as opposed to a lost race or an invalid write. */
export const isThrottleCode = (code: string | undefined): boolean => THROTTLE_CODES.includes(code ?? '');

/** Whether an error, or one that caused it, says that a call was throttled. */
export const isThrottle = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  if (error instanceof ThrottledError || isThrottlingError({ name, message })) return true;
  const reasons = 'CancellationReasons' in error ? error.CancellationReasons : [];
  const codes: readonly unknown[] = Array.isArray(reasons) ? reasons.map((reason) => reason?.Code) : [];
  return codes.some((code) => typeof code === 'string' && isThrottleCode(code)) || isThrottle(error.cause);
};
