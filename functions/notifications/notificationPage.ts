import {
  NOTIFICATION_DAYS,
  type NotifiableEventType,
  type Notification,
} from '../../schemas/notifications.ts';
import type { Severity } from '../../schemas/severity.ts';
import { type Page, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import { isInLane } from '../tenancy/residency.ts';
import type { NotificationReader, StoredNotification } from './notification.store.ts';

const RETENTION = NOTIFICATION_DAYS * 24 * 60 * 60 * 1_000;
/** Rows examined for each one asked for, at most: a filter must not make a page read them all. */
const EXAMINED_FACTOR = 4;

export interface NotificationPageQuery {
  readonly tenantId: string;
  /** The lane the caller's credential is bound to; null: none. */
  readonly lane: string | null;
  readonly query: {
    readonly type?: NotifiableEventType | undefined;
    readonly severity?: Severity | undefined;
  };
  /** Where the last page ended: the ULID of a row. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds; rows older than are kept are not shown, though the table may forget them late. */
  readonly now: number;
}

/** A row as its tenant sees it. */
const toResponse = ({ sent: _how, ...notification }: StoredNotification): Notification => notification;

/** The newest first, and where the walk goes on; reads are bounded by the page, whatever the filters. */
export const readNotificationPage = async (
  reader: NotificationReader,
  { tenantId, lane, query, after, limit, now }: NotificationPageQuery,
): Promise<Page<Notification>> => {
  const matches = (one: Notification): boolean =>
    isInLane(one, lane) &&
    (query.type === undefined || one.type === query.type) &&
    (query.severity === undefined || one.severity === query.severity);
  // One more than asked for tells whether there are others.
  const wanted = limit + 1;
  const found: Notification[] = [];
  let position = after;
  for (let examined = 0; examined < EXAMINED_FACTOR * wanted; examined += wanted) {
    const rows = await reader.notifications(tenantId, { after: position, descending: true, limit: wanted });
    for (const row of rows) {
      const ulid = ulidInId(row.id);
      if (timeOfUlid(ulid) < now - RETENTION) return toPage(found, limit, ({ id }) => ulidInId(id));
      if (matches(row)) found.push(toResponse(row));
      if (found.length === wanted) return toPage(found, limit, ({ id }) => ulidInId(id));
      position = ulid;
    }
    if (rows.length < wanted) return toPage(found, limit, ({ id }) => ulidInId(id));
  }
  return { items: found, resume: position ?? null };
};
