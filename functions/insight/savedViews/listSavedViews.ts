import { listSavedViews } from '../../../schemas/routes/insight/savedViews.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';

export default operation(listSavedViews, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listSavedViews, call, async ({ after }, limit) => {
    const all = await stores.savedViews.list(caller.tenant.tenant_id);
    const visible = all.filter(
      ({ id, residency }) =>
        (after === undefined || ulidInId(id) < after) && isInLane(residency, caller.residency),
    );
    return toPage(visible, limit, ({ id }) => ulidInId(id));
  });
});
