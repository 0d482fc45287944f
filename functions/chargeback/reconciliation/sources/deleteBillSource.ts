import { deleteBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { billSourceResource } from './billSourceResource.ts';

export default operation(deleteBillSource, async (call) => {
  await billSourceResource(call.stores.billSourceWriter).remove(call);
  return reply(204, undefined);
});
