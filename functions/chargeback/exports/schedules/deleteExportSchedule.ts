import { deleteExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { scheduleResource } from './scheduleResource.ts';

export default operation(deleteExportSchedule, async (call) => {
  await scheduleResource(call.stores.scheduleStore).remove(call);
  return reply(204, undefined);
});
