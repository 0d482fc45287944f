import { listNotifications } from '../../schemas/routes/notifications.ts';
import { operation } from '../http/operation.ts';
import { page } from '../http/paging.ts';
import { walkNotifications } from './walk.ts';

export default operation(listNotifications, ({ query, caller, receivedAt, stores }) =>
  page({
    route: listNotifications,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: ({ after, asOf }, limit) =>
      walkNotifications(stores.notifications, {
        tenantId: caller.tenant.tenant_id,
        lane: caller.residency,
        query,
        after,
        limit,
        now: asOf,
      }),
  }),
);
