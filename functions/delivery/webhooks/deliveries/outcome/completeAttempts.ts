import { measure } from '../../../../platform/shared/metrics.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { StoredEntry } from '../../streams/stream.store.ts';
import type { RequestedAttempt } from '../dueAttempts.ts';
import { type DeliveryOutcome, decideScaledRetry } from './attemptOutcome.ts';
import type { CompletedAttempt } from './commitAttempts.ts';
import { isIsolatedAfter } from './isolation.ts';

/** A delivery that is due, with its entry. */
export interface DueDelivery extends RequestedAttempt {
  readonly entry: StoredEntry;
}

/** What deliveries of one request share. Times are epoch milliseconds. */
interface SharedAttempt {
  readonly outcome: DeliveryOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
  /** A unique name of the writer, and of the request. */
  readonly claim: string;
  /** Whether the request was a list of events. */
  readonly isBatch: boolean;
}

/**
 * The attempts of one request that ended. Each delivery gets the outcome of the request. Deliveries that stay together draw
 * one jitter, so that they are due together. Isolated ones draw their own.
 */
export const completeAttempts = (
  deliveries: readonly DueDelivery[],
  { state }: StoredEndpoint,
  shared: SharedAttempt,
  { uniform, scale }: { readonly uniform: () => number; readonly scale: number },
): CompletedAttempt[] => {
  const { outcome, startedAt, endedAt, claim, isBatch } = shared;
  const failingSince = state.status === 'verified' ? state.failing_since : null;
  let draw: number | undefined;
  const drawOnce = (): number => {
    draw ??= uniform();
    return draw;
  };
  return deliveries.map(({ deliveryKey, entry, found }) => {
    const { attempts, first_attempt_at } = found.document;
    const isIsolated =
      outcome.kind !== 'withheld' && isIsolatedAfter(outcome, { attempts: attempts + 1, failingSince });
    const next = decideScaledRetry(
      outcome,
      {
        attempts: attempts + 1,
        firstAt: first_attempt_at === null ? startedAt : Date.parse(first_attempt_at),
      },
      { now: endedAt, uniform: isIsolated ? uniform : drawOnce, scale },
    );
    measure(next.kind === 'acknowledged' ? 'deliveries' : 'deliveryFailures');
    if (attempts === 0) measure('deliveryLatency', startedAt - Date.parse(entry.event.created_at));
    const requestId = isBatch ? claim : undefined;
    const by = { claim, attempt: 1 };
    return { deliveryKey, entry, found, startedAt, endedAt, outcome, next, isIsolated, requestId, by };
  });
};
