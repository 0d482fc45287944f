import { listReportSubscriptions } from '../../../schemas/routes/delivery/reportSubscriptions.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toSubscription } from './subscription.store.ts';
import { isVisible } from './subscriptionResource.ts';

export default operation(listReportSubscriptions, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listReportSubscriptions, call, async ({ after }, limit) => {
    const all = await stores.subscriptions.list(caller.tenant.tenant_id);
    const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
    const visible = remaining.filter((subscription) => isVisible(caller, subscription));
    return toPage(visible.map(toSubscription), limit, ({ id }) => ulidInId(id));
  });
});
