import { getReportSubscription } from '../../../schemas/routes/delivery/reportSubscriptions.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { toSubscription } from './subscription.store.ts';
import { requireVisible } from './subscriptionResource.ts';

export default operation(getReportSubscription, async ({ parameters, caller, stores }) => {
  const all = await stores.subscriptions.list(caller.tenant.tenant_id);
  const found = all.find(({ id }) => ulidInId(id) === parameters['id']);
  return reply(200, toSubscription(requireVisible(caller, found ?? null)));
});
