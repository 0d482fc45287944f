import type { DelayedMessage } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import type { Versioned } from '../../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { StreamStore } from '../streams/stream.store.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import type { DeliveryMessage, DistinctMessage } from './deliveryMessage.ts';
import type { KeyedDelivery } from './dueMessages.ts';
import type { EndpointKey } from './lease/endpointLease.store.ts';
import { waitOf } from './progress.ts';

/** A delivery for which a message requests an attempt. */
export interface RequestedAttempt {
  readonly message: DeliveryMessage;
  readonly deliveryKey: DeliveryKey;
  readonly found: Versioned<Delivery>;
}

/**
 * The attempts of a batch that are due, the messages of attempts that are early, and the pending deliveries that have
 * advanced since their message was sent. The process that advanced such a delivery may have stopped before it requested the
 * next attempt.
 */
export const dueAttempts = async (
  deps: { readonly streams: Pick<StreamStore, 'deliveries'>; readonly clock: Clock },
  endpointKey: EndpointKey,
  messages: readonly DistinctMessage[],
): Promise<{
  readonly due: readonly RequestedAttempt[];
  readonly early: readonly DelayedMessage<DeliveryMessage>[];
  readonly advanced: readonly KeyedDelivery[];
}> => {
  const requests = messages.flatMap(({ message, requests: own }) =>
    own.map((request) => ({
      message,
      request,
      deliveryKey: { ...endpointKey, dedupKey: request.dedup_key },
    })),
  );
  const stored = await deps.streams.deliveries(requests.map(({ deliveryKey }) => deliveryKey));
  const pending = requests.flatMap((one, index) => {
    const found = stored[index];
    if (found?.document.state !== 'pending') return [];
    return [{ ...one, found, wait: waitOf(found.document, deps.clock()) }];
  });
  const requested = pending.filter(({ request, found }) => found.document.attempts === request.attempt);
  const early = Map.groupBy(
    requested.filter(({ wait }) => wait > 0),
    ({ message }) => message,
  );
  return {
    due: requested.filter(({ wait }) => wait <= 0),
    early: [...early].map(([message, group]) => ({
      message,
      wait: Math.max(...group.map(({ wait }) => wait)),
    })),
    advanced: pending
      .filter((one) => !requested.includes(one))
      .map(({ deliveryKey, found }) => ({ deliveryKey, delivery: found.document })),
  };
};
