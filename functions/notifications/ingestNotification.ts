import type { RaisedEvent } from '../../schemas/events.ts';
import type { ChannelName, Notification } from '../../schemas/notifications.ts';
import { commitOrConflict } from '../shared/aws/commitOrConflict.ts';
import type { DelayedQueue } from '../shared/aws/delayedQueue.store.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import type { Clock } from '../shared/clock.ts';
import { ulidInId } from '../shared/ids.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import { newChannelMessage } from './channelMessage.ts';
import { channelsFor, enabledChannels } from './channels.ts';
import { addToWindow, emptyWindow, WINDOW_MS, windowStart } from './digestWindow.ts';
import type { NotificationStore, StoredNotification } from './notification.store.ts';
import { toNotification } from './notification.ts';
import type { ChannelMessageJob, NotifyMessage } from './queueMessage.ts';

/** Of writers of one window at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 60;

export interface IngestDependencies {
  readonly store: NotificationStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  /** What is e-mailed, and windows to close. */
  readonly own: DelayedQueue<NotifyMessage>;
  /** What is posted to chats: a queue of the only function that calls addresses of strangers. */
  readonly deliveries: DelayedQueue<ChannelMessageJob>;
  readonly clock: Clock;
  /** Names whoever writes, uniquely. */
  readonly newClaim: () => string;
  /** Waits after a try that came second; the first is the 1st. */
  readonly pause: (attempt: number) => Promise<unknown>;
}

/**
 * Takes in what people are to be told of. Row, window and messages are committed together, and only then put on their
 * queues: whoever is given the same event or window again finds what was committed and puts it there again. Throws what
 * the SDK throws when the stores cannot answer.
 */
export const ingestNotification = (deps: IngestDependencies) => {
  const { store, tenants, own, deliveries, clock, newClaim, pause } = deps;

  const enqueue = async (tenantId: string, id: string, channels: readonly ChannelName[]): Promise<void> => {
    const timed = { message: { tenant_id: tenantId, posting: id }, wait: 0 };
    if (channels.includes('email')) await own.send([timed]);
    if (channels.includes('chat')) await deliveries.send([timed]);
  };

  /** What must follow from a notification that is stored. */
  const enqueueFollowUp = async (tenantId: string, { id, sent }: StoredNotification): Promise<void> => {
    if (sent === null) return;
    if (sent.how === 'alone') await enqueue(tenantId, ulidInId(id), sent.channels);
    if (sent.how !== 'first_of_digest') return;
    const message = { tenant_id: tenantId, window: sent.window };
    await own.send([{ message, wait: sent.window + WINDOW_MS - clock() }]);
  };

  const by = (attempt: number): Revision => ({ claim: newClaim(), attempt });

  /** Stores a notification that goes to no channel, or joins a window; null where somebody else came first. */
  const storeOrConflict = async (
    tenantId: string,
    notification: Notification,
    attempt: number,
  ): Promise<StoredNotification | null> => {
    const ulid = ulidInId(notification.id);
    const known = await store.notification(tenantId, ulid);
    if (known !== null) return known;
    const tenant = await tenants.tenant(tenantId);
    const channels = tenant === null ? [] : channelsFor(tenant, notification.severity);
    const revision = by(attempt);
    if (channels.length === 0) {
      const silent = { ...notification, sent: null };
      return (await commitOrConflict([store.add(tenantId, silent, revision)])) ? silent : null;
    }
    const now = clock();
    let start = windowStart(now);
    let found = await store.window(tenantId, start);
    if (found !== null && found.document.closed !== null) {
      // Whoever closed it has a clock ahead of ours.
      start += WINDOW_MS;
      found = await store.window(tenantId, start);
    }
    const { window, sent } = addToWindow(found?.document ?? emptyWindow, ulid);
    const stored = { ...notification, sent: { how: sent, window: start, channels } };
    const messages =
      sent === 'alone'
        ? channels.map((channel) => newChannelMessage({ id: ulid, channel, named: [ulid], count: 1 }, now))
        : [];
    const isCommitted = await commitOrConflict([
      store.add(tenantId, stored, revision),
      store.putWindow(tenantId, start, window, found?.revision ?? null, revision),
      ...messages.map((message) => store.putChannelMessage(tenantId, message, null, revision)),
    ]);
    return isCommitted ? stored : null;
  };

  return {
    /** Has people told of an event, once however often it is given; of one that is no cause to, nothing follows. */
    event: async (event: RaisedEvent): Promise<void> => {
      const notification = toNotification(event);
      if (notification === null) return;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const stored = await storeOrConflict(event.tenant_id, notification, attempt);
        if (stored !== null) return enqueueFollowUp(event.tenant_id, stored);
        await pause(attempt);
      }
      throw new Error('a window was written by others too often');
    },

    /** Closes a window once it has ended, and has its digest sent. */
    window: async (tenantId: string, start: number): Promise<void> => {
      const wait = start + WINDOW_MS - clock();
      if (wait > 0) return own.send([{ message: { tenant_id: tenantId, window: start }, wait }]);
      const id = String(start);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const found = await store.window(tenantId, start);
        if (found === null || found.document.later === 0) return;
        const { closed, named, later } = found.document;
        if (closed !== null) return enqueue(tenantId, id, closed);
        const tenant = await tenants.tenant(tenantId);
        const channels = tenant === null ? [] : enabledChannels(tenant);
        const revision = by(attempt);
        const now = clock();
        const isClosed = await commitOrConflict([
          store.putWindow(tenantId, start, { ...found.document, closed: channels }, found.revision, revision),
          ...channels.map((channel) =>
            store.putChannelMessage(
              tenantId,
              newChannelMessage({ id, channel, named, count: later }, now),
              null,
              revision,
            ),
          ),
        ]);
        if (isClosed) return enqueue(tenantId, id, channels);
        await pause(attempt);
      }
      throw new Error('a window was written by others too often');
    },
  };
};
