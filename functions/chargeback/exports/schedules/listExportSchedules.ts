import { listExportSchedules } from '../../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../../platform/http/pages/paging.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { toSchedule } from './schedule.store.ts';

export default operation(listExportSchedules, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listExportSchedules, call, async ({ after }, limit) => {
    const all = await stores.exportSchedules.list(caller.tenant.tenant_id);
    const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
    const visible = remaining.filter((schedule) => isInLane(schedule.residency, caller.residency));
    return toPage(visible.map(toSchedule), limit, ({ id }) => ulidInId(id));
  });
});
