import type { StreamRecord } from 'aws-lambda';
import type { DelayedMessage } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import { chunksWithin } from '../../../platform/shared/chunksWithin.ts';
import { readRow } from '../../../platform/shared/readRow.ts';
import { batchLimits } from './batchBody.ts';
import { Delivery } from './delivery.ts';
import { type DeliveryKey, parseDeliveryKey } from './deliveryKey.ts';
import { type DeliveryMessage, toDeliveryMessage } from './deliveryMessage.ts';

const SECOND_MS = 1_000;

interface PendingDelivery {
  readonly key: DeliveryKey;
  readonly delivery: Delivery;
  /** Milliseconds until it is due. Not positive when it is due now. */
  readonly wait: number;
}

/** The pending delivery in a changed item of the table, if it is one. */
const pendingIn = (change: StreamRecord | undefined, now: number): readonly PendingDelivery[] => {
  const [pk = '', sk = ''] = [change?.Keys?.['pk']?.S, change?.Keys?.['sk']?.S];
  const key = parseDeliveryKey(pk, sk);
  const text = change?.NewImage?.['document']?.S;
  if (key === null || text === undefined) return [];
  return readRow({ table: 'deliveries', pk, sk }, () => {
    const delivery = Delivery.parse(JSON.parse(text));
    return delivery.state === 'pending' ? [{ key, delivery, wait: Date.parse(delivery.due_at) - now }] : [];
  });
};

/** Deliveries with the same value may share a message: same endpoint and limit, due in the same second. */
const groupOf = ({ key, delivery, wait }: PendingDelivery): string => {
  const { tenantId, endpointId, dedupKey } = key;
  const shared = [tenantId, endpointId, delivery.batch?.size, Math.max(0, Math.ceil(wait / SECOND_MS))];
  return JSON.stringify(delivery.batch === undefined ? [...shared, dedupKey] : shared);
};

/**
 * The queue messages for the pending deliveries in a batch of changes of the table. Deliveries of an endpoint that receives
 * batches share a message, within the limits of one request. `now` is epoch milliseconds.
 */
export const toDueMessages = (
  changes: readonly (StreamRecord | undefined)[],
  now: number,
): DelayedMessage<DeliveryMessage>[] => {
  const pending = changes.flatMap((change) => pendingIn(change, now));
  return [...Map.groupBy(pending, groupOf).values()].flatMap((group) =>
    chunksWithin(
      group,
      batchLimits(group[0]?.delivery.batch?.size ?? 1),
      ({ delivery }) => delivery.batch?.bytes ?? 0,
    ).map(([first, ...others]) => {
      const toRequest = ({ key, delivery }: PendingDelivery) => ({
        dedup_key: key.dedupKey,
        attempt: delivery.attempts,
      });
      return {
        message: toDeliveryMessage(first.key, [toRequest(first), ...others.map(toRequest)]),
        wait: Math.max(...[first, ...others].map(({ wait }) => wait)),
      };
    }),
  );
};
