import * as z from 'zod';
import { InboxNotification, NOTIFICATION_DAYS, NotifiableEventType } from '../../delivery/notifications.ts';
import { Severity } from '../../delivery/severity.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { Timestamp } from '../../values.ts';
import { route } from '../route.ts';
import { reportSubscriptionRoutes } from './reportSubscriptions.ts';

export const listNotifications = route({
  method: 'GET',
  path: '/api/v1/notifications',
  operation: 'listNotifications',
  authority: { effect: 'none', reveals: [], withholds: ['read:attribution'], lanes: 'own' },
  unit: 'reports',
  summary: 'List notifications, newest first',
  description: `Lists the notifications of the last ${NOTIFICATION_DAYS} days, one for each event: budgets whose spend or forecast reaches a threshold, anomalies, failed exports, disabled webhook endpoints, implausible costs, degraded attribution and coverage. The channels of the tenant (PATCH /api/v1/tenant) receive them within seconds, and after five messages in five minutes one digest of the others. Each credential has a read mark of its own (PUT /api/v1/notifications/read). While has_more is true, a page can have fewer rows than its limit, or none. Each needs its scope: anomalies and budgets read:reporting, budgets that count records, costs, coverage and attribution read:attribution, exports export:create, webhook endpoints webhooks:manage. A credential bound to a lane sees only notifications about that lane.`,
  access: 'read:reporting',
  discloses: 'cohorts_or_records',
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

/** What tells people something by itself. */
export const notificationRoutes = [
  listNotifications,
  markNotificationsRead,
  ...reportSubscriptionRoutes,
] as const;
