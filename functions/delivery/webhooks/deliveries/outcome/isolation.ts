import type { EgressOutcome } from '../../../../platform/egress/outcome.ts';

/** Statuses that say nothing about the events of a request: a slow or overloaded receiver, or one that is gone. */
const OF_THE_RECEIVER: ReadonlySet<number> = new Set([408, 410, 429]);
/** After this many failures while the endpoint succeeds with other requests, one of the events is the likely cause. */
const FAILURES_BESIDE_SUCCESSES = 3;
/** After this many failures, about two hours, an event no longer waits for others in any case. */
const FAILURES_MAXIMUM = 8;

const isRefusal = (outcome: EgressOutcome): boolean =>
  outcome.kind === 'answered' &&
  outcome.status >= 400 &&
  outcome.status < 500 &&
  !OF_THE_RECEIVER.has(outcome.status);

/**
 * Whether an event has a request of its own after a failed attempt, so that a bad event does not hold up the others of its
 * batch. `attempts` counts completed attempts, this one included. `failingSince` is the state of the endpoint when the
 * request was sent: null when the request before it succeeded. During an outage, events stay together.
 */
export const isIsolatedAfter = (
  outcome: EgressOutcome,
  { attempts, failingSince }: { readonly attempts: number; readonly failingSince: string | null },
): boolean =>
  isRefusal(outcome) ||
  attempts >= FAILURES_MAXIMUM ||
  (attempts >= FAILURES_BESIDE_SUCCESSES && failingSince === null);
