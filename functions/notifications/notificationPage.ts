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

const RETENTION_MS = NOTIFICATION_DAYS * 24 * 60 * 60 * 1_000;
/** At most this many rows are read for each one requested, so that a filter cannot make a page read all rows. */
const EXAMINED_FACTOR = 4;

export interface NotificationPageQuery {
  readonly tenantId: string;
  /** The lane that the caller's credential is bound to, or null. */
  readonly lane: string | null;
  readonly query: {
    readonly type?: NotifiableEventType | undefined;
    readonly severity?: Severity | undefined;
  };
  /** The ULID of the last row of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds. Expired rows that DynamoDB has not deleted yet are not shown. */
  readonly now: number;
}

/** The API representation of a stored notification. */
const toResponse = ({ sent: _sent, ...notification }: StoredNotification): Notification => notification;

/** A page of matching notifications, newest first, and where the next page starts. Reads are bounded by the page size. */
export const readNotificationPage = async (
  reader: NotificationReader,
  { tenantId, lane, query, after, limit, now }: NotificationPageQuery,
): Promise<Page<Notification>> => {
  const matches = (one: Notification): boolean =>
    isInLane(one, lane) &&
    (query.type === undefined || one.type === query.type) &&
    (query.severity === undefined || one.severity === query.severity);
  // One more than requested shows whether there is another page.
  const wanted = limit + 1;
  const matched: Notification[] = [];
  let position = after;
  for (let examined = 0; examined < EXAMINED_FACTOR * wanted; examined += wanted) {
    const rows = await reader.notifications(tenantId, { after: position, descending: true, limit: wanted });
    for (const row of rows) {
      const ulid = ulidInId(row.id);
      if (timeOfUlid(ulid) < now - RETENTION_MS) return toPage(matched, limit, ({ id }) => ulidInId(id));
      if (matches(row)) matched.push(toResponse(row));
      if (matched.length === wanted) return toPage(matched, limit, ({ id }) => ulidInId(id));
      position = ulid;
    }
    if (rows.length < wanted) return toPage(matched, limit, ({ id }) => ulidInId(id));
  }
  return { items: matched, resume: position ?? null };
};
