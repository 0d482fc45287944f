import * as z from 'zod';
import { NOTIFICATION_DAYS, NotifiableEventType, Notification } from '../notifications.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Severity } from '../severity.ts';
import { route } from './route.ts';

export const listNotifications = route({
  method: 'GET',
  path: '/api/v1/notifications',
  operation: 'listNotifications',
  unit: 'reports',
  summary: 'List notifications, newest first',
  description: `What got worse in the last ${NOTIFICATION_DAYS} days, one row for each event, in plain words: budgets at 100 and 150 %, anomalies, failed exports, disabled webhook endpoints, degraded attribution and coverage. The same goes by e-mail and to a chat where the tenant's settings name any (PATCH /api/v1/tenant), within seconds; after five in a window of five minutes the rest comes as one message at its end. Rows are the tenant's and hold no state of who has read them. A page may hold fewer rows than its limit, or none, while has_more is true. A credential that is bound to a residency lane sees what is about that lane alone.`,
  access: 'read:reporting',
  rate: 'read',
  needs: ['notifications.read', 'cursor.derive'],
  query: z.strictObject({
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
    type: NotifiableEventType.optional(),
    severity: Severity.optional(),
  }),
  replies: {
    200: { description: 'A page of notifications', body: pageOf(Notification, 'NotificationPage') },
  },
});
