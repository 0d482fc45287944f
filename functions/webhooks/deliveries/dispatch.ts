import type { StreamRecord } from 'aws-lambda';
import { Delivery } from './delivery.ts';
import { parseDeliveryKey } from './deliveryKey.ts';
import type { TimedMessage } from './deliveryQueue.store.ts';

/** The message that a change of the table asks for; null where it left nothing to be done. `now` is epoch milliseconds. */
export const toDueMessage = (change: StreamRecord | undefined, now: number): TimedMessage | null => {
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
