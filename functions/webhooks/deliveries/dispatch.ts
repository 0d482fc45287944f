import type { StreamRecord } from 'aws-lambda';
import type { DelayedMessage } from '../../shared/aws/delayedQueue.store.ts';
import { Delivery } from './delivery.ts';
import { parseDeliveryKey } from './deliveryKey.ts';
import type { DeliveryMessage } from './deliveryMessage.ts';

/** The queue message for a changed item of the table. Null when it is not a pending delivery. `now` is epoch milliseconds. */
export const toDueMessage = (
  change: StreamRecord | undefined,
  now: number,
): DelayedMessage<DeliveryMessage> | null => {
  const deliveryKey = parseDeliveryKey(change?.Keys?.['pk']?.S ?? '', change?.Keys?.['sk']?.S ?? '');
  const text = change?.NewImage?.['document']?.S;
  if (deliveryKey === null || text === undefined) return null;
  const delivery = Delivery.parse(JSON.parse(text));
  if (delivery.state !== 'pending') return null;
  const message = {
    tenant_id: deliveryKey.tenantId,
    endpoint: deliveryKey.endpointId,
    dedup_key: deliveryKey.dedupKey,
    attempt: delivery.attempts,
    deferrals: 0,
  };
  return { message, wait: Date.parse(delivery.due_at) - now };
};
