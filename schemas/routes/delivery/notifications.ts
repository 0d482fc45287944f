import * as z from 'zod';
import { InboxNotification, NOTIFICATION_DAYS, NotifiableEventType } from '../../delivery/notifications.ts';
import { Severity } from '../../delivery/severity.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { Timestamp } from '../../values.ts';
import { route } from '../route.ts';

export const listNotifications = route({
  method: 'GET',
  path: '/api/v1/notifications',
  operation: 'listNotifications',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'reports',
  summary: 'List notifications, newest first',
  description: `Lists the notifications of the last ${NOTIFICATION_DAYS} days, one for each event: budgets at 100 and 150 %, anomalies, failed exports, disabled webhook endpoints, degraded attribution and degraded coverage. The channels in the tenant's settings (PATCH /api/v1/tenant) receive the same notifications by e-mail and chat within seconds. After five messages in a five-minute window, the channel receives one digest of the remaining notifications at the end of the window. Each user, API key and OAuth client has a read mark of its own (PUT /api/v1/notifications/read). While has_more is true, a page can have fewer rows than its limit, or none. The list contains only notifications that the caller has the scope to read: anomalies and budgets read:reporting, coverage and attribution read:attribution, exports export:create, webhook endpoints webhooks:manage. A credential bound to a residency lane sees only notifications about that lane.`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['notifications.read', 'notifications.readMark', 'cursor.derive'],
  query: z.strictObject({
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
    type: NotifiableEventType.optional(),
    severity: Severity.optional(),
  }),
  replies: {
    200: { description: 'A page of notifications', body: pageOf(InboxNotification, 'NotificationPage') },
  },
});

const ReadMark = z
  .strictObject({
    until: Timestamp.meta({ description: 'Notifications created up to this time are read' }),
  })
  .meta({ id: 'ReadMark', example: { until: '2026-07-15T12:00:00.000Z' } });

export const markNotificationsRead = route({
  method: 'PUT',
  path: '/api/v1/notifications/read',
  operation: 'markNotificationsRead',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'settings',
  summary: 'Mark notifications as read',
  description:
    'Marks all notifications up to a time as read, for the caller only. Send created_at of the newest one that was shown. The mark never moves back, and not into the future.',
  access: 'read:reporting',
  discloses: 'none',
  rate: 'write',
  needs: ['notifications.mark'],
  body: { kind: 'json', schema: ReadMark, maxBytes: 1_024 },
  replies: { 200: { description: 'The mark of the caller', body: ReadMark } },
});
