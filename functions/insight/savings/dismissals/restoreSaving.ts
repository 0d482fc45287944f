import { restoreSaving } from '../../../../schemas/routes/insight/savingDismissals.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { dismissalResource } from './dismissalResource.ts';

export default operation(restoreSaving, async (call) => {
  await dismissalResource(call.stores.dismissalStore).remove(call);
  return reply(204, undefined);
});
