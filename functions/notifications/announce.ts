import type { RaisedEvent } from '../../schemas/events.ts';
import { CriticalType } from '../../schemas/notifications.ts';
import type { NotificationQueue, RaisedMessage } from './notificationQueue.store.ts';

/** Hands over the events that people may have to be told of; given again they are handed over again, and told of once. */
export const announcer =
  (queue: NotificationQueue<RaisedMessage>) =>
  async (tenantId: string, events: readonly RaisedEvent[]): Promise<void> => {
    await queue.send(
      events
        .filter(({ type }) => CriticalType.safeParse(type).success)
        .map(({ id }) => ({ message: { tenant_id: tenantId, event_id: id }, wait: 0 })),
    );
  };
