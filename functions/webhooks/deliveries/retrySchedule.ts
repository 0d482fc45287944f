import type { EgressOutcome } from '../../egress/outcome.ts';

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;

/** Milliseconds. */
export const BACKOFF_BASE_MS = 5 * SECOND;
export const BACKOFF_FACTOR = 3;
export const BACKOFF_CAP_MS = 6 * HOUR;
/** How long after its first attempt a delivery is given up. */
export const RETRY_HORIZON_MS = 24 * HOUR;

/** What follows from an attempt. */
export type RetryDecision =
  | { readonly kind: 'acknowledged' }
  /** At epoch milliseconds. */
  | { readonly kind: 'retry'; readonly at: number }
  | {
      readonly kind: 'dead_lettered';
      readonly reason: 'exhausted' | 'refused' | 'too_large' | 'gone' | 'withheld';
    };

/** The longest wait before attempt `attempt`, in milliseconds; the first attempt is number 0 and does not wait. */
export const backoffCap = (attempt: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** attempt);

/** HTTP dates have one form that is still sent (RFC 9110 §5.6.7); the two obsolete ones are not read. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds that a Retry-After field asks to wait from `now`, never more than the ceiling; 0 when it says nothing. */
export const parseRetryAfter = (field: string | null, now: number): number => {
  if (field === null) return 0;
  const text = field.trim();
  if (/^\d+$/.test(text)) return Math.min(BACKOFF_CAP_MS, Number(text) * SECOND);
  const wait = HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return wait > 0 ? Math.min(BACKOFF_CAP_MS, wait) : 0;
};

/** Only an overloaded receiver is believed about when to come back. */
const requestedDelay = (outcome: EgressOutcome, now: number): number =>
  outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503)
    ? parseRetryAfter(outcome.retryAfter, now)
    : 0;

/**
 * What follows from the attempt that ended at `now`. Waits are full jitter: uniform from 0 to the attempt's ceiling, on
 * top of what the receiver asked for, so that nobody comes back at one instant. A wait that would reach beyond the
 * horizon ends at it: a receiver that is back within 24 hours gets the event. Any other status than 410 is tried
 * again, 4xx too, since receivers are mended. `attempts` counts those made, this one included; `uniform` is in [0, 1).
 */
export const decideRetry = (
  outcome: EgressOutcome,
  delivery: { readonly attempts: number; readonly firstAt: number },
  { now, uniform }: { readonly now: number; readonly uniform: () => number },
): RetryDecision => {
  if (outcome.kind === 'answered') {
    if (outcome.status < 300) return { kind: 'acknowledged' };
    if (outcome.status === 410) return { kind: 'dead_lettered', reason: 'gone' };
  } else {
    const { failure } = outcome;
    if (failure === 'too_large') return { kind: 'dead_lettered', reason: 'too_large' };
    if (failure === 'refused_url' || failure === 'refused_address') {
      return { kind: 'dead_lettered', reason: 'refused' };
    }
  }
  const end = delivery.firstAt + RETRY_HORIZON_MS;
  if (now >= end) return { kind: 'dead_lettered', reason: 'exhausted' };
  const wait = requestedDelay(outcome, now) + uniform() * backoffCap(delivery.attempts);
  return { kind: 'retry', at: Math.min(end, now + Math.floor(wait)) };
};
