import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { parseRetryAfter } from '../../../platform/egress/retryAfter.ts';

const SECOND_MS = 1_000;

export const BACKOFF_BASE_MS = 5 * SECOND_MS;
export const BACKOFF_FACTOR = 3;
export const BACKOFF_CAP_MS = 6 * HOUR_MS;
/** A delivery is dead-lettered this long after its first attempt. */
export const RETRY_HORIZON_MS = DAY_MS;
/**
 * Attempts that a delivery has at least. A service that stood still for a day, or whose clock was wrong, has not tried for a day;
 * the missing attempts follow within minutes.
 */
export const ATTEMPTS_MINIMUM = 5;

/** What happens to a delivery after an attempt. */
export type RetryDecision =
  | { readonly kind: 'acknowledged' }
  /** At epoch milliseconds. */
  | { readonly kind: 'retry'; readonly at: number }
  | {
      readonly kind: 'dead_lettered';
      readonly reason: 'exhausted' | 'refused' | 'too_large' | 'gone' | 'withheld';
    };

/** The longest delay before attempt `attempt`, in milliseconds. Attempts count from 0, and attempt 0 is not delayed. */
export const backoffCap = (attempt: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** attempt);

/** Retry-After is honoured only for 429 and 503, which signal an overloaded receiver. */
const requestedDelay = (outcome: EgressOutcome, now: number): number =>
  outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503)
    ? parseRetryAfter(outcome.retryAfter, now)
    : 0;

/** Whether the receiver says that it is gone for good. A deployment in progress can say so too, so it is retried first. */
const isGone = (outcome: EgressOutcome): boolean => outcome.kind === 'answered' && outcome.status === 410;

/**
 * Decides what happens after the attempt that ended at `now` (epoch milliseconds). The delay is full jitter, uniform from
 * 0 to the cap of the attempt, plus the delay that the receiver requested. Jitter keeps retries from arriving at the same
 * time. A delay beyond the 24-hour horizon is cut to it, so a receiver that recovers within 24 hours gets the event. After it,
 * a delivery with fewer than {@link ATTEMPTS_MINIMUM} attempts gets the others, without the delay that is requested. Every
 * status except 2xx is retried, also 4xx, because receivers get fixed. `attempts` counts completed attempts, this one
 * included. `uniform` is in [0, 1).
 */
export const decideRetry = (
  outcome: EgressOutcome,
  delivery: { readonly attempts: number; readonly firstAt: number },
  { now, uniform }: { readonly now: number; readonly uniform: () => number },
): RetryDecision => {
  if (outcome.kind === 'answered') {
    if (outcome.status < 300) return { kind: 'acknowledged' };
  } else {
    const { failure } = outcome;
    if (failure === 'too_large') return { kind: 'dead_lettered', reason: 'too_large' };
    if (failure === 'refused_url' || failure === 'refused_address') {
      return { kind: 'dead_lettered', reason: 'refused' };
    }
  }
  const end = delivery.firstAt + RETRY_HORIZON_MS;
  const backoff = Math.floor(uniform() * backoffCap(delivery.attempts));
  if (now < end) {
    return { kind: 'retry', at: Math.min(end, now + requestedDelay(outcome, now) + backoff) };
  }
  if (delivery.attempts < ATTEMPTS_MINIMUM) return { kind: 'retry', at: now + backoff };
  return { kind: 'dead_lettered', reason: isGone(outcome) ? 'gone' : 'exhausted' };
};
