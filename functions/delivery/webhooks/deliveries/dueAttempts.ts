import type { DelayedQueue } from '../../../platform/shared/aws/delayedQueue.store.ts';
import type { Versioned } from '../../../platform/shared/aws/document.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import type { StreamStore } from '../streams/stream.store.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import { type DeliveryMessage, requestedBy, toDeliveryMessage } from './deliveryMessage.ts';
import type { EndpointKey } from './endpointLease.store.ts';

/** A delivery for which a message requests an attempt. */
export interface RequestedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly found: Versioned<Delivery>;
}

/** Returns the attempts of a batch that are due, without stale ones. Puts attempts that are early back on the queue. */
export const dueAttempts = async (
  deps: {
    readonly streams: Pick<StreamStore, 'deliveries'>;
    readonly queue: DelayedQueue<DeliveryMessage>;
    readonly clock: Clock;
  },
  endpointKey: EndpointKey,
  messages: readonly DeliveryMessage[],
): Promise<RequestedAttempt[]> => {
  const requests = messages.flatMap((message) =>
    requestedBy(message).map((request) => ({
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
  // The early attempts of a message are due in the same second, and stay together.
  const early = Map.groupBy(
    pending.filter(({ wait }) => wait > 0),
    ({ message }) => message,
  );
  const returned = [...early.values()].flatMap((group) => {
    const [first, ...others] = group.map(({ request }) => request);
    if (first === undefined) return [];
    const message = toDeliveryMessage(endpointKey, [first, ...others]);
    return [{ message, wait: Math.max(...group.map(({ wait }) => wait)) }];
  });
  if (returned.length > 0) await deps.queue.send(returned);
  return pending.filter(({ wait }) => wait <= 0);
};
