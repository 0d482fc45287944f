import type { DelayedMessage } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import type { Versioned } from '../../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { StreamStore } from '../streams/stream.store.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import type { DeliveryMessage, DistinctMessage } from './deliveryMessage.ts';
import type { EndpointKey } from './endpointLease.store.ts';

/** A delivery for which a message requests an attempt. */
export interface RequestedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly found: Versioned<Delivery>;
}

/** A due attempt with the message that requests it. */
export interface DueAttempt extends RequestedAttempt {
  readonly message: DeliveryMessage;
}

/** The attempts of a batch that are due, without stale ones, and the messages of attempts that are early. */
export const dueAttempts = async (
  deps: { readonly streams: Pick<StreamStore, 'deliveries'>; readonly clock: Clock },
  endpointKey: EndpointKey,
  messages: readonly DistinctMessage[],
): Promise<{
  readonly due: readonly DueAttempt[];
  readonly early: readonly DelayedMessage<DeliveryMessage>[];
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
    if (found?.document.state !== 'pending' || found.document.attempts !== one.request.attempt) return [];
    return [{ ...one, found, wait: Date.parse(found.document.due_at) - deps.clock() }];
  });
  const early = Map.groupBy(
    pending.filter(({ wait }) => wait > 0),
    ({ message }) => message,
  );
  return {
    due: pending.filter(({ wait }) => wait <= 0),
    early: [...early].map(([message, group]) => ({
      message,
      wait: Math.max(...group.map(({ wait }) => wait)),
    })),
  };
};
