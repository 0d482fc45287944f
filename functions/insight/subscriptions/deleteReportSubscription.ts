import { deleteReportSubscription } from '../../../schemas/routes/delivery/reportSubscriptions.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { subscriptionResource } from './subscriptionResource.ts';

export default operation(deleteReportSubscription, async (call) => {
  await subscriptionResource(call.stores.subscriptionStore).remove(call);
  return reply(204, undefined);
});
