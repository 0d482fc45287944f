import { MINUTE_MS } from '../../../../../schemas/durations.ts';
import type { DelayedMessage } from '../../../../platform/shared/aws/delayedQueue.aws.ts';
import type { Clock } from '../../../../platform/shared/time/clock.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { DeliveryMessage } from '../deliveryMessage.ts';
import { RETRY_HORIZON_MS } from '../retrySchedule.ts';
import { withheld } from './attemptOutcome.ts';
import type { CompletedAttempt } from './commitAttempts.ts';
import { completeAttempts, type DueDelivery } from './completeAttempts.ts';

/** How long a message for a paused endpoint waits in the queue: the longest delay of SQS. */
const PAUSE_CHECK_MS = 15 * MINUTE_MS;

/**
 * Returns a function that keeps the due deliveries of a paused endpoint for as long as they would be retried. What is older
 * ends with an entry in the log, so that the tenant knows what to replay. Resolves to the messages to receive again.
 */
export const pauseHolder = (deps: {
  readonly clock: Clock;
  readonly newClaim: () => string;
  readonly uniform: () => number;
  readonly scale: number;
}) => {
  const { clock, newClaim, uniform, scale } = deps;
  const keptUntil = ({ found: { document } }: DueDelivery): number =>
    Date.parse(document.first_attempt_at ?? document.entered_at) + RETRY_HORIZON_MS * scale;

  return async (
    commitAttempts: (completed: readonly CompletedAttempt[]) => Promise<void>,
    endpoint: StoredEndpoint,
    due: readonly DueDelivery[],
  ): Promise<readonly DelayedMessage<DeliveryMessage>[]> => {
    const now = clock();
    const kept = due.filter((one) => now < keptUntil(one));
    const over = due.filter((one) => now >= keptUntil(one));
    if (over.length > 0) {
      const at = { startedAt: now, endedAt: now, claim: newClaim(), isBatch: false };
      const shared = { outcome: withheld('paused'), ...at };
      await commitAttempts(completeAttempts(over, endpoint, shared, { uniform, scale }));
    }
    return [...Map.groupBy(kept, ({ message }) => message)].map(([message, group]) => ({
      message,
      wait: Math.min(PAUSE_CHECK_MS, ...group.map((one) => keptUntil(one) - now)),
    }));
  };
};
