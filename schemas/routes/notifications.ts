import * as z from 'zod';
import { NOTIFICATION_DAYS, NotifiableEventType, Notification } from '../notifications.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Severity } from '../severity.ts';
import { route } from './route.ts';

export const listNotifications = route({
  method: 'GET',
  path: '/api/v1/notifications',
  operation: 'listNotifications',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'reports',
  summary: 'List notifications, newest first',
  description: `Lists the notifications of the last ${NOTIFICATION_DAYS} days, one for each event: budgets at 100 and 150 %, anomalies, failed exports, disabled webhook endpoints, degraded attribution and degraded coverage. The channels in the tenant's settings (PATCH /api/v1/tenant) receive the same notifications by e-mail and chat within seconds. After five messages in a five-minute window, the channel receives one digest of the remaining notifications at the end of the window. Notifications have no read status. While has_more is true, a page can have fewer rows than its limit, or none. The list contains only notifications that the caller has the scope to read: anomalies and budgets read:reporting, coverage and attribution read:attribution, exports export:create, webhook endpoints webhooks:manage. A credential bound to a residency lane sees only notifications about that lane.`,
  access: 'read:reporting',
  discloses: 'cohorts',
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
