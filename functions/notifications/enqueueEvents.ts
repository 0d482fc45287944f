import type { RaisedEvent } from '../../schemas/events.ts';
import { NotifiableEventType } from '../../schemas/notifications.ts';
import type { DelayedQueue } from '../shared/aws/delayedQueue.store.ts';
import type { EventMessage } from './queueMessage.ts';

/** Hands over the events that people may have to be told of; given again they are handed over again, and told of once. */
export const eventEnqueuer =
  (queue: DelayedQueue<EventMessage>) =>
  async (tenantId: string, events: readonly RaisedEvent[]): Promise<void> => {
    await queue.send(
      events
        .filter(({ type }) => NotifiableEventType.safeParse(type).success)
        .map(({ id }) => ({ message: { tenant_id: tenantId, event_id: id }, wait: 0 })),
    );
  };
