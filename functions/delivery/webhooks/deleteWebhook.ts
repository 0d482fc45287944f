import { deleteWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { endpointResource } from './endpoints/endpointResource.ts';

export default operation(deleteWebhook, async (call) => {
  await endpointResource(call.stores.endpointWriter).remove(call);
  return reply(204, undefined);
});
