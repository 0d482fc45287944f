import {
  NOTIFICATION_DAYS,
  type NotifiableEventType,
  type Notification,
  notificationScopes,
} from '../../../schemas/delivery/notifications.ts';
import type { Severity } from '../../../schemas/delivery/severity.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { endOfList, readPartitionPage } from '../../platform/http/pages/filteredPage.ts';
import type { Page } from '../../platform/http/pages/paging.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import type { NotificationReader, StoredNotification } from './notification.store.ts';

const RETENTION_MS = NOTIFICATION_DAYS * DAY_MS;

export interface NotificationPageQuery {
  readonly tenantId: string;
  /** The lane that the caller's credential is bound to, or null. */
  readonly lane: string | null;
  /** The scopes of the caller. Notifications that it may not read are omitted. */
  readonly scopes: ReadonlySet<Scope>;
  readonly query: {
    readonly type?: NotifiableEventType | undefined;
    readonly severity?: Severity | undefined;
  };
  /** The ULID of the last row of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds. Later notifications are not shown, nor are expired ones that DynamoDB has not deleted yet. */
  readonly now: number;
}

/** The API representation of a stored notification. */
const toResponse = ({ sent: _sent, of_records: _of, ...notification }: StoredNotification): Notification =>
  notification;

/** A page of matching notifications, newest first, and where the next page starts. Reads are bounded by the page size. */
export const readNotificationPage = async (
  reader: NotificationReader,
  { tenantId, lane, scopes, query, after, limit, now }: NotificationPageQuery,
): Promise<Page<Notification>> => {
  const matches = (one: StoredNotification): boolean =>
    isInLane(one.residency, lane) &&
    scopes.has(notificationScopes[one.type]) &&
    (one.of_records === undefined || scopes.has(RECORDS_SCOPE)) &&
    (query.type === undefined || one.type === query.type) &&
    (query.severity === undefined || one.severity === query.severity);
  const { items, resume } = await readPartitionPage((range) => reader.notifications(tenantId, range), {
    from: now - RETENTION_MS,
    to: endOfList(now),
    descending: true,
    after,
    limit,
    matches,
  });
  return { items: items.map(toResponse), resume };
};
