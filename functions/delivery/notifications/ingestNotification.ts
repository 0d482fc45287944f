import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import type { ChannelName } from '../../../schemas/delivery/notifications.ts';
import { commitOrConflict } from '../../platform/shared/aws/commitOrConflict.ts';
import type { DelayedMessage, DelayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import type { Revision } from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import { newChannelMessage } from './channels/channelMessage.ts';
import { queueMessages } from './channels/channelQueues.ts';
import { channelsFor, enabledChannels } from './channels/channels.ts';
import {
  addToWindow,
  emptyWindow,
  urgencyOf,
  WINDOW_MS,
  windowAt,
  windowEnd,
  windowName,
} from './digestWindow.ts';
import type { NewNotification, NotificationStore, StoredNotification } from './notification.store.ts';
import { toNotification } from './notification.ts';
import type { ChannelMessageJob, NotifyMessage, WindowMessage } from './queueMessage.ts';

/** Optimistic lock: each round at least one writer of a window succeeds, so this many concurrent writers all succeed. */
const MAX_ATTEMPTS = 60;

export interface IngestDependencies {
  readonly store: NotificationStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  /** Mail to send, and windows to close. */
  readonly own: DelayedQueue<NotifyMessage>;
  /** Chat messages. They go to the queue of the delivery worker, the only function that calls URLs chosen by tenants. */
  readonly deliveries: DelayedQueue<ChannelMessageJob>;
  readonly clock: Clock;
  /** Returns a unique name for the writer. */
  readonly newClaim: () => string;
  /** Waits after a write conflict. `attempt` counts from 1. */
  readonly pause: (attempt: number) => Promise<unknown>;
}

/**
 * Turns events into notifications, and digest windows into messages. Notification, window and channel messages are
 * committed in one transaction and queued afterwards. A repeated event or window finds the committed items and queues them
 * again, so a crash between commit and queue loses nothing. Throws the SDK's error when a store or queue does not respond.
 */
export const ingestNotification = (deps: IngestDependencies) => {
  const { store, tenants, own, deliveries, clock, newClaim, pause } = deps;
  const retryOptions = { maxAttempts: MAX_ATTEMPTS, subject: 'a digest window', pause };

  const enqueue = (tenantId: string, id: string, channels: readonly ChannelName[]): Promise<void> =>
    queueMessages({ own, deliveries }, tenantId, id, channels);

  /** Queues what follows from a stored notification: its messages, or the closing of its window. */
  const enqueueFollowUp = async (tenantId: string, notification: StoredNotification): Promise<void> => {
    const { id, sent } = notification;
    if (sent === null) return;
    if (sent.how === 'alone') await enqueue(tenantId, ulidInId(id), sent.channels);
    if (sent.how !== 'first_of_digest') return;
    const urgency = urgencyOf(notification);
    const message = { tenant_id: tenantId, window: sent.window, urgency };
    await own.send([{ message, wait: windowEnd({ urgency, start: sent.window }) - clock() }]);
  };

  const by = (attempt: number): Revision => ({ claim: newClaim(), attempt });

  /** Stores a notification, and adds it to the current window if it goes to a channel. */
  const storeOrConflict = async (
    tenantId: string,
    notification: NewNotification,
    attempt: number,
  ): Promise<StoredNotification | typeof CONFLICT> => {
    const ulid = ulidInId(notification.id);
    const stored = await store.notification(tenantId, ulid);
    if (stored !== null) return stored;
    const tenant = await tenants.tenant(tenantId);
    const channels = tenant === null ? [] : channelsFor(tenant, notification.severity);
    const revision = by(attempt);
    if (channels.length === 0) {
      const unsent = { ...notification, sent: null };
      return (await commitOrConflict([store.add(tenantId, unsent, revision)])) ? unsent : CONFLICT;
    }
    const now = clock();
    let span = windowAt(urgencyOf(notification), now);
    let found = await store.window(tenantId, span);
    if (found !== null && found.document.closed !== null) {
      // Another worker, whose clock is ahead, has closed the window. The notification goes into the next one.
      span = { ...span, start: windowEnd(span) };
      found = await store.window(tenantId, span);
    }
    const { window, sent } = addToWindow(found?.document ?? emptyWindow, ulid);
    const added = { ...notification, sent: { how: sent, window: span.start, channels } };
    const messages =
      sent === 'alone'
        ? channels.map((channel) => newChannelMessage({ id: ulid, channel, named: [ulid], count: 1 }, now))
        : [];
    const isCommitted = await commitOrConflict([
      store.add(tenantId, added, revision),
      store.putWindow(tenantId, span, window, found?.revision ?? null, revision),
      ...messages.map((message) => store.putChannelMessage(tenantId, message, null, revision)),
    ]);
    return isCommitted ? added : CONFLICT;
  };

  return {
    /** Notifies of an event. Idempotent. Does nothing when the event needs no notification. */
    event: async (event: RaisedEvent): Promise<void> => {
      const notification = toNotification(event);
      if (notification === null) return;
      const stored = await retryOnConflict(
        (attempt) => storeOrConflict(event.tenant_id, notification, attempt),
        retryOptions,
      );
      await enqueueFollowUp(event.tenant_id, stored);
    },

    /** Closes a window once it has ended, and has its digest sent. Before, it does nothing and returns the message. */
    window: async (message: WindowMessage): Promise<readonly DelayedMessage<WindowMessage>[]> => {
      const { tenant_id: tenantId, window: start, urgency = 'ordinary' } = message;
      const span = { urgency, start };
      const [end, at] = [windowEnd(span), clock()];
      if (isHeld({ until: end }, WINDOW_MS[urgency], at)) return [{ message, wait: end - at }];
      const id = windowName(span);
      /** The channels of the digest; none when the window needs no digest. */
      const close = async (attempt: number): Promise<readonly ChannelName[] | typeof CONFLICT> => {
        const found = await store.window(tenantId, span);
        if (found === null || found.document.later === 0) return [];
        const { closed, named, later } = found.document;
        if (closed !== null) return closed;
        const tenant = await tenants.tenant(tenantId);
        const channels = tenant === null ? [] : enabledChannels(tenant);
        const revision = by(attempt);
        const now = clock();
        const isClosed = await commitOrConflict([
          store.putWindow(tenantId, span, { ...found.document, closed: channels }, found.revision, revision),
          ...channels.map((channel) =>
            store.putChannelMessage(
              tenantId,
              newChannelMessage({ id, channel, named, count: later }, now),
              null,
              revision,
            ),
          ),
        ]);
        return isClosed ? channels : CONFLICT;
      };
      await enqueue(tenantId, id, await retryOnConflict(close, retryOptions));
      return [];
    },
  };
};
