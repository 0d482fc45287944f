import type { RaisedEvent } from '../../schemas/events.ts';
import type { ChannelName, Notification } from '../../schemas/notifications.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import { tryToCommit } from '../shared/aws/tryToCommit.ts';
import type { Clock } from '../shared/clock.ts';
import { ulidInId } from '../shared/ids.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import { channelsFor, openChannels } from './channels.ts';
import type { NotificationStore, StoredNotification } from './notification.store.ts';
import { notificationOf } from './notification.ts';
import type { NotificationQueue, NotifyMessage, PostingMessage } from './notificationQueue.store.ts';
import { newPosting } from './posting.ts';
import { emptyWindow, joined, WINDOW, windowAt } from './window.ts';

/** Of writers of one window at the same moment one gets through each time, so this many do. */
const TRIES = 60;

export interface TakeInDependencies {
  readonly store: NotificationStore;
  readonly tenants: Pick<TenantReader, 'tenant'>;
  /** What is e-mailed, and windows to close. */
  readonly own: NotificationQueue<NotifyMessage>;
  /** What is posted to chats: a queue of the only function that calls addresses of strangers. */
  readonly deliveries: NotificationQueue<PostingMessage>;
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
export const takeIn = (deps: TakeInDependencies) => {
  const { store, tenants, own, deliveries, clock, newClaim, pause } = deps;

  const hand = async (tenantId: string, id: string, channels: readonly ChannelName[]): Promise<void> => {
    const timed = { message: { tenant_id: tenantId, posting: id }, wait: 0 };
    if (channels.includes('email')) await own.send([timed]);
    if (channels.includes('chat')) await deliveries.send([timed]);
  };

  /** What must follow from a notification that is stored. */
  const follow = async (tenantId: string, { id, sent }: StoredNotification): Promise<void> => {
    if (sent === null) return;
    if (sent.how === 'alone') await hand(tenantId, ulidInId(id), sent.channels);
    if (sent.how !== 'first_of_digest') return;
    const message = { tenant_id: tenantId, window: sent.window };
    await own.send([{ message, wait: sent.window + WINDOW - clock() }]);
  };

  const by = (attempt: number): Revision => ({ claim: newClaim(), attempt });

  /** Stores a notification that goes to no channel, or joins a window; null where somebody else came first. */
  const tryToStore = async (
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
      return (await tryToCommit([store.add(tenantId, silent, revision)])) ? silent : null;
    }
    const now = clock();
    let start = windowAt(now);
    let found = await store.window(tenantId, start);
    if (found !== null && found.document.closed !== null) {
      // Whoever closed it has a clock ahead of ours.
      start += WINDOW;
      found = await store.window(tenantId, start);
    }
    const { window, sent } = joined(found?.document ?? emptyWindow, ulid);
    const stored = { ...notification, sent: { how: sent, window: start, channels } };
    const messages =
      sent === 'alone'
        ? channels.map((channel) => newPosting({ id: ulid, channel, named: [ulid], count: 1 }, now))
        : [];
    const isIn = await tryToCommit([
      store.add(tenantId, stored, revision),
      store.putWindow(tenantId, start, window, found?.revision ?? null, revision),
      ...messages.map((message) => store.putPosting(tenantId, message, null, revision)),
    ]);
    return isIn ? stored : null;
  };

  return {
    /** Has people told of an event, once however often it is given; of one that is no cause to, nothing follows. */
    event: async (event: RaisedEvent): Promise<void> => {
      const notification = notificationOf(event);
      if (notification === null) return;
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const stored = await tryToStore(event.tenant_id, notification, attempt);
        if (stored !== null) return follow(event.tenant_id, stored);
        await pause(attempt);
      }
      throw new Error('a window was written by others too often');
    },

    /** Closes a window once it has ended, and has its digest sent. */
    window: async (tenantId: string, start: number): Promise<void> => {
      const wait = start + WINDOW - clock();
      if (wait > 0) return own.send([{ message: { tenant_id: tenantId, window: start }, wait }]);
      const id = String(start);
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const found = await store.window(tenantId, start);
        if (found === null || found.document.later === 0) return;
        const { closed, named, later } = found.document;
        if (closed !== null) return hand(tenantId, id, closed);
        const tenant = await tenants.tenant(tenantId);
        const channels = tenant === null ? [] : openChannels(tenant);
        const revision = by(attempt);
        const now = clock();
        const isClosed = await tryToCommit([
          store.putWindow(tenantId, start, { ...found.document, closed: channels }, found.revision, revision),
          ...channels.map((channel) =>
            store.putPosting(tenantId, newPosting({ id, channel, named, count: later }, now), null, revision),
          ),
        ]);
        if (isClosed) return hand(tenantId, id, channels);
        await pause(attempt);
      }
      throw new Error('a window was written by others too often');
    },
  };
};
