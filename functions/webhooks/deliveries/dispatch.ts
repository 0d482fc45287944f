import type { StreamRecord } from 'aws-lambda';
import { Delivery } from './delivery.ts';
import type { Timed } from './deliveryQueue.store.ts';
import { placeIn } from './place.ts';

/** The message that a change of the table asks for; null where it left nothing to be done. `now` is epoch milliseconds. */
export const dueIn = (change: StreamRecord | undefined, now: number): Timed | null => {
  const place = placeIn(change?.Keys?.['pk']?.S ?? '', change?.Keys?.['sk']?.S ?? '');
  const text = change?.NewImage?.['document']?.S;
  if (place === null || text === undefined) return null;
  const delivery = Delivery.parse(JSON.parse(text));
  if (delivery.state !== 'pending') return null;
  const message = {
    tenant_id: place.tenantId,
    endpoint: place.endpointId,
    cause: place.cause,
    attempt: delivery.attempts,
    turned_away: 0,
  };
  return { message, wait: Date.parse(delivery.due_at) - now };
};
