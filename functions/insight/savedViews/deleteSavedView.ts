import { deleteSavedView } from '../../../schemas/routes/insight/savedViews.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { savedViewResource } from './savedViewResource.ts';

export default operation(deleteSavedView, async (call) => {
  await savedViewResource(call.stores.savedViewStore).remove(call);
  return reply(204, undefined);
});
