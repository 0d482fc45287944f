import * as z from 'zod';
import { ChannelName, NOTIFICATION_DAYS, Notification } from '../../schemas/notifications.ts';
import {
  type DocumentRange,
  listDocuments,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { ChannelMessage } from './channelMessage.ts';
import { DigestWindow, SendMode } from './digestWindow.ts';

const RETENTION_SECONDS = NOTIFICATION_DAYS * 24 * 60 * 60;

/** A notification as it is stored: with how it is sent. */
export const StoredNotification = Notification.extend({
  /** Null: no channel was open to it. */
  sent: z
    .object({
      how: SendMode,
      /** The beginning of the window it came in, epoch milliseconds. */
      window: z.int(),
      channels: z.array(ChannelName),
    })
    .nullable(),
});
export type StoredNotification = z.infer<typeof StoredNotification>;

/** A message of a tenant, by its id and channel. */
export type ChannelMessageKey = Pick<ChannelMessage, 'id' | 'channel'>;

const partitionOf = (tenantId: string): string => `notification#${tenantId}`;
const notificationKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const windowKey = (tenantId: string, start: number) => ({ pk: `window#${tenantId}`, sk: String(start) });
const channelMessageKey = (tenantId: string, { id, channel }: ChannelMessageKey) => ({
  pk: `posting#${tenantId}`,
  sk: `${id}#${channel}`,
});

const ttlFrom = (at: number): number => Math.ceil(at / 1_000) + RETENTION_SECONDS;

export interface NotificationReader {
  /** In the order of their ULIDs, that is of their events. */
  readonly notifications: (tenantId: string, range: DocumentRange) => Promise<StoredNotification[]>;
}

export const notificationReader = (table: string): NotificationReader => ({
  notifications: (tenantId, range) => listDocuments(table, partitionOf(tenantId), range, StoredNotification),
});

/** What whoever sends messages keeps. */
export interface ChannelMessageStore {
  /** Those that are there still, in the order of `ulids`. */
  readonly notificationsById: (tenantId: string, ulids: readonly string[]) => Promise<Notification[]>;
  readonly channelMessage: (
    tenantId: string,
    name: ChannelMessageKey,
  ) => Promise<Versioned<ChannelMessage> | null>;
  /** Fails where somebody else wrote it since `seen`, or at all. */
  readonly putChannelMessage: (
    tenantId: string,
    posting: ChannelMessage,
    seen: Revision | null,
    by: Revision,
  ) => Write;
}

/** What whoever takes events in keeps. */
export interface NotificationStore extends ChannelMessageStore {
  readonly notification: (tenantId: string, ulid: string) => Promise<StoredNotification | null>;
  /** Fails where it is there already. */
  readonly add: (tenantId: string, notification: StoredNotification, by: Revision) => Write;
  readonly window: (tenantId: string, start: number) => Promise<Versioned<DigestWindow> | null>;
  readonly putWindow: (
    tenantId: string,
    start: number,
    window: DigestWindow,
    seen: Revision | null,
    by: Revision,
  ) => Write;
}

export const notificationStore = (table: string): NotificationStore => {
  const notification = (tenantId: string, ulid: string): Promise<StoredNotification | null> =>
    readDocument(table, notificationKey(tenantId, ulid), StoredNotification);
  return {
    notification,
    notificationsById: async (tenantId, ulids) =>
      (await Promise.all(ulids.map((ulid) => notification(tenantId, ulid)))).filter((one) => one !== null),
    add: (tenantId, one, by) =>
      writeDocument(table, notificationKey(tenantId, ulidInId(one.id)), one, {
        expectedRevision: null,
        by,
        ttl: ttlFrom(Date.parse(one.created_at)),
      }),
    window: (tenantId, start) => readVersioned(table, windowKey(tenantId, start), DigestWindow),
    putWindow: (tenantId, start, window, seen, by) =>
      writeDocument(table, windowKey(tenantId, start), window, {
        expectedRevision: seen,
        by,
        ttl: ttlFrom(start),
      }),
    channelMessage: (tenantId, name) =>
      readVersioned(table, channelMessageKey(tenantId, name), ChannelMessage),
    putChannelMessage: (tenantId, posting, seen, by) =>
      writeDocument(table, channelMessageKey(tenantId, posting), posting, {
        expectedRevision: seen,
        by,
        ttl: ttlFrom(Date.parse(posting.created_at)),
      }),
  };
};
