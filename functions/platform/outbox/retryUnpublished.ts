import * as z from 'zod';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { UnreadableMessage } from '../queue/failure.ts';
import { isThrottle } from '../shared/aws/calls/throttling.ts';
import { describeError, log } from '../shared/log.ts';
import type { Publish, RaisedItem } from './relay.ts';
import type {
  ItemKey,
  ReadMessage,
  UnpublishedEvents,
  UnpublishedMessage,
} from './unpublishedEvents.store.ts';

/** Whether a stored event is not of a form that this version reads. Every attempt would fail in the same way. */
const isUnreadable = (error: unknown): boolean => error instanceof z.ZodError || error instanceof SyntaxError;

/** One message for each event of a message. */
const singlesOf = ({ tenant_id, event_ids, versions }: ReadMessage): UnpublishedMessage[] => [
  ...event_ids.map((id) => ({ tenant_id, event_ids: [id] })),
  ...versions.map((key) => ({ tenant_id, versions: [key] })),
];

/**
 * Publishes events that a relay could not publish. If that fails, each event continues in a message of its own: one that can
 * never be published is then dead-lettered alone. A message with one event throws: it returns to the queue, or is dead-lettered at once if the event cannot be read.
 */
export const unpublishedRetrier =
  (deps: {
    readonly eventOf: (tenantId: string, eventId: string) => Promise<RaisedEvent | null>;
    readonly itemsOf: (tenantId: string, keys: readonly ItemKey[]) => Promise<readonly RaisedItem[]>;
    readonly publish: Publish;
    readonly queue: UnpublishedEvents;
  }) =>
  async (message: ReadMessage): Promise<void> => {
    const { tenant_id, event_ids, versions } = message;
    try {
      const [raised, items] = await Promise.all([
        Promise.all(event_ids.map((id) => deps.eventOf(tenant_id, id))),
        deps.itemsOf(tenant_id, versions),
      ]);
      const events = [...raised.filter((event) => event !== null), ...items.map(({ event }) => event)];
      if (events.length > 0) await deps.publish(tenant_id, events);
    } catch (error) {
      const singles = singlesOf(message);
      // A throttled message is good, and returns until the tables have capacity again.
      if (isThrottle(error)) throw error;
      if (singles.length === 1)
        throw isUnreadable(error) ? new UnreadableMessage('unreadable', { cause: error }) : error;
      log({
        level: 'error',
        message: 'Events are retried one by one.',
        tenant_id,
        count: singles.length,
        ...describeError(error),
      });
      for (const single of singles) await deps.queue.send(single);
    }
  };
