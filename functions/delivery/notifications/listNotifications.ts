import { listNotifications } from '../../../schemas/routes/delivery/notifications.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage } from '../../platform/http/pages/paging.ts';
import { readNotificationPage } from './notificationPage.ts';

export default operation(listNotifications, (call) => {
  const { query, caller, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  return respondWithPage(listNotifications, call, async ({ after, asOf }, limit) => {
    const mark = await stores.readMark.readMark(tenantId, caller.principal);
    const page = await readNotificationPage(stores.notifications, {
      tenantId,
      lane: caller.residency,
      scopes: caller.scopes,
      query,
      after,
      limit,
      now: asOf,
    });
    const items = page.items.map((one) => ({
      ...one,
      is_read: mark !== null && one.created_at <= mark.until,
    }));
    return { ...page, items };
  });
});
