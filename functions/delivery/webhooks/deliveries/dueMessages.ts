import type { DelayedMessage } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import { chunksWithin } from '../../../platform/shared/chunksWithin.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryKey } from './deliveryKey.ts';
import { type DeliveryMessage, toDeliveryMessage } from './deliveryMessage.ts';
import { waitOf } from './progress.ts';
import { batchLimits } from './request/batchBody.ts';

const SECOND_MS = 1_000;

/** A stored delivery. */
export interface KeyedDelivery {
  readonly deliveryKey: DeliveryKey;
  readonly delivery: Delivery;
}

/**
 * The queue messages that request the next attempt of each pending delivery. Deliveries of an endpoint that receives batches
 * share a message if they are due in the same second, within the limits of one request. `now` is epoch milliseconds.
 */
export const dueMessages = (
  deliveries: readonly KeyedDelivery[],
  now: number,
): DelayedMessage<DeliveryMessage>[] => {
  const groupOf = ({ deliveryKey, delivery }: KeyedDelivery): string => {
    const { tenantId, endpointId, dedupKey } = deliveryKey;
    const second = Math.max(0, Math.ceil(waitOf(delivery, now) / SECOND_MS));
    const shared = [tenantId, endpointId, delivery.batch?.size, second];
    return JSON.stringify(delivery.batch === undefined ? [...shared, dedupKey] : shared);
  };
  const toRequest = ({ deliveryKey, delivery }: KeyedDelivery) => ({
    dedup_key: deliveryKey.dedupKey,
    attempt: delivery.attempts,
  });
  const pending = deliveries.filter(({ delivery }) => delivery.state === 'pending');
  return [...Map.groupBy(pending, groupOf).values()].flatMap((group) =>
    chunksWithin(
      group,
      batchLimits(group[0]?.delivery.batch?.size ?? 1),
      ({ delivery }) => delivery.batch?.bytes ?? 0,
    ).map(([first, ...others]) => ({
      message: toDeliveryMessage(first.deliveryKey, [toRequest(first), ...others.map(toRequest)]),
      wait: Math.max(...[first, ...others].map(({ delivery }) => waitOf(delivery, now))),
    })),
  );
};
