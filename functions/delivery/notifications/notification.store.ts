import * as z from 'zod';
import { ChannelName, NOTIFICATION_DAYS, Notification } from '../../../schemas/delivery/notifications.ts';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import {
  type DocumentRange,
  listReadable,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { ChannelMessage } from './channels/channelMessage.ts';
import { DigestWindow, SendMode, type WindowSpan, windowName } from './digestWindow.ts';

const RETENTION_SECONDS = NOTIFICATION_DAYS * DAY_SECONDS;

/** A stored notification, with how it is sent. */
export const StoredNotification = Notification.extend({
  /** It tells a figure of single records. */
  of_records: z.literal(true).optional(),
  /** Null: no channel receives it. */
  sent: z
    .object({
      how: SendMode,
      /** The start of its window, in epoch milliseconds. Its severity tells the windows. */
      window: z.int(),
      channels: z.array(ChannelName),
    })
    .nullable(),
});
export type StoredNotification = z.infer<typeof StoredNotification>;
/** Before it is known how it is sent. */
export type NewNotification = Omit<StoredNotification, 'sent'>;

/** Identifies a message of a tenant. */
export type ChannelMessageKey = Pick<ChannelMessage, 'id' | 'channel'>;

const partitionOf = (tenantId: string): string => `notification#${tenantId}`;
const notificationKey = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const windowKey = (tenantId: string, span: WindowSpan) => ({
  pk: `window#${tenantId}`,
  sk: windowName(span),
});
const channelMessageKey = (tenantId: string, { id, channel }: ChannelMessageKey) => ({
  pk: `posting#${tenantId}`,
  sk: `${id}#${channel}`,
});

const ttlFrom = (at: number): number => Math.ceil(at / 1_000) + RETENTION_SECONDS;

export interface NotificationReader {
  /** Notifications in ULID order, which is the order of their events. */
  readonly notifications: (tenantId: string, range: DocumentRange) => Promise<StoredNotification[]>;
}

export const notificationReader = (table: string): NotificationReader => ({
  notifications: (tenantId, range) => listReadable(table, partitionOf(tenantId), range, StoredNotification),
});

/** The store of the message senders. */
export interface ChannelMessageStore {
  /** The notifications that still exist, in the order of `ulids`. */
  readonly notificationsById: (tenantId: string, ulids: readonly string[]) => Promise<Notification[]>;
  readonly channelMessage: (
    tenantId: string,
    key: ChannelMessageKey,
  ) => Promise<Versioned<ChannelMessage> | null>;
  /**
   * The write fails when another writer has saved the message since `expected`, or when it exists and `expected` is null.
   */
  readonly putChannelMessage: (
    tenantId: string,
    message: ChannelMessage,
    expected: Revision | null,
    by: Revision,
  ) => Write;
}

/** The store of the notification ingestion. */
export interface NotificationStore extends ChannelMessageStore {
  readonly notification: (tenantId: string, ulid: string) => Promise<StoredNotification | null>;
  /** The write fails when the notification exists. */
  readonly add: (tenantId: string, notification: StoredNotification, by: Revision) => Write;
  readonly window: (tenantId: string, span: WindowSpan) => Promise<Versioned<DigestWindow> | null>;
  readonly putWindow: (
    tenantId: string,
    span: WindowSpan,
    window: DigestWindow,
    expected: Revision | null,
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
    window: (tenantId, span) => readVersioned(table, windowKey(tenantId, span), DigestWindow),
    putWindow: (tenantId, span, window, expected, by) =>
      writeDocument(table, windowKey(tenantId, span), window, {
        expectedRevision: expected,
        by,
        ttl: ttlFrom(span.start),
      }),
    channelMessage: (tenantId, key) => readVersioned(table, channelMessageKey(tenantId, key), ChannelMessage),
    putChannelMessage: (tenantId, message, expected, by) =>
      writeDocument(table, channelMessageKey(tenantId, message), message, {
        expectedRevision: expected,
        by,
        ttl: ttlFrom(Date.parse(message.created_at)),
      }),
  };
};
