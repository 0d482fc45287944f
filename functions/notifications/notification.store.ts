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
import { Posting } from './posting.ts';
import { Sent, Window } from './window.ts';

const RETENTION_SECONDS = NOTIFICATION_DAYS * 24 * 60 * 60;

/** A notification as it is stored: with how it is sent. */
export const StoredNotification = Notification.extend({
  /** Null: no channel was open to it. */
  sent: z
    .object({
      how: Sent,
      /** The beginning of the window it came in, epoch milliseconds. */
      window: z.int(),
      channels: z.array(ChannelName),
    })
    .nullable(),
});
export type StoredNotification = z.infer<typeof StoredNotification>;

/** A message of a tenant, by its id and channel. */
export type PostingName = Pick<Posting, 'id' | 'channel'>;

const partitionOf = (tenantId: string): string => `notification#${tenantId}`;
const rowPlace = (tenantId: string, ulid: string) => ({ pk: partitionOf(tenantId), sk: ulid });
const windowPlace = (tenantId: string, start: number) => ({ pk: `window#${tenantId}`, sk: String(start) });
const postingPlace = (tenantId: string, { id, channel }: PostingName) => ({
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
export interface PostingStore {
  /** Those that are there still, in the order of `ulids`. */
  readonly named: (tenantId: string, ulids: readonly string[]) => Promise<Notification[]>;
  readonly posting: (tenantId: string, name: PostingName) => Promise<Versioned<Posting> | null>;
  /** Fails where somebody else wrote it since `seen`, or at all. */
  readonly putPosting: (tenantId: string, posting: Posting, seen: Revision | null, by: Revision) => Write;
}

/** What whoever takes events in keeps. */
export interface NotificationStore extends PostingStore {
  readonly notification: (tenantId: string, ulid: string) => Promise<StoredNotification | null>;
  /** Fails where it is there already. */
  readonly add: (tenantId: string, notification: StoredNotification, by: Revision) => Write;
  readonly window: (tenantId: string, start: number) => Promise<Versioned<Window> | null>;
  readonly putWindow: (
    tenantId: string,
    start: number,
    window: Window,
    seen: Revision | null,
    by: Revision,
  ) => Write;
}

export const notificationStore = (table: string): NotificationStore => {
  const notification = (tenantId: string, ulid: string): Promise<StoredNotification | null> =>
    readDocument(table, rowPlace(tenantId, ulid), StoredNotification);
  return {
    notification,
    named: async (tenantId, ulids) =>
      (await Promise.all(ulids.map((ulid) => notification(tenantId, ulid)))).filter((one) => one !== null),
    add: (tenantId, one, by) =>
      writeDocument(table, rowPlace(tenantId, ulidInId(one.id)), one, {
        seen: null,
        by,
        ttl: ttlFrom(Date.parse(one.created_at)),
      }),
    window: (tenantId, start) => readVersioned(table, windowPlace(tenantId, start), Window),
    putWindow: (tenantId, start, window, seen, by) =>
      writeDocument(table, windowPlace(tenantId, start), window, { seen, by, ttl: ttlFrom(start) }),
    posting: (tenantId, name) => readVersioned(table, postingPlace(tenantId, name), Posting),
    putPosting: (tenantId, posting, seen, by) =>
      writeDocument(table, postingPlace(tenantId, posting), posting, {
        seen,
        by,
        ttl: ttlFrom(Date.parse(posting.created_at)),
      }),
  };
};
