import { getExportSchedule } from '../../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { toSchedule } from './schedule.store.ts';
import { requireVisible } from './scheduleResource.ts';

export default operation(getExportSchedule, async ({ parameters, caller, stores }) => {
  const all = await stores.exportSchedules.list(caller.tenant.tenant_id);
  const found = all.find(({ id }) => ulidInId(id) === parameters['id']);
  return reply(200, toSchedule(requireVisible(caller, found ?? null)));
});
