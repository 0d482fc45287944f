import { listNotifications } from '../../schemas/routes/notifications.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage } from '../http/paging.ts';
import { readNotificationPage } from './notificationPage.ts';

export default operation(listNotifications, (call) => {
  const { query, caller, stores } = call;
  return respondWithPage(listNotifications, call, ({ after, asOf }, limit) =>
    readNotificationPage(stores.notifications, {
      tenantId: caller.tenant.tenant_id,
      lane: caller.residency,
      scopes: caller.scopes,
      query,
      after,
      limit,
      now: asOf,
    }),
  );
});
