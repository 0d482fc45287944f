import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { NotifiableEventType } from '../../../schemas/delivery/notifications.ts';
import type { DelayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import type { EventMessage } from './queueMessage.ts';

/** Queues the events whose types can become notifications. Duplicate messages are harmless: the consumer is idempotent. */
export const eventEnqueuer =
  (queue: DelayedQueue<EventMessage>) =>
  async (tenantId: string, events: readonly RaisedEvent[]): Promise<void> => {
    await queue.send(
      events
        .filter(({ type }) => NotifiableEventType.safeParse(type).success)
        .map(({ id }) => ({ message: { tenant_id: tenantId, event_id: id }, wait: 0 })),
    );
  };
