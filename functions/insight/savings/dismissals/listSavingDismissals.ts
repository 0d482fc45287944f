import { RECORD_SAVINGS } from '../../../../schemas/insight/savingDismissals.ts';
import { RECORDS_SCOPE } from '../../../../schemas/routes/disclosure.ts';
import { listSavingDismissals } from '../../../../schemas/routes/insight/savingDismissals.ts';
import { operation } from '../../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../../platform/http/pages/paging.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';

export default operation(listSavingDismissals, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listSavingDismissals, call, async ({ after }, limit) => {
    const all = await stores.dismissals.list(caller.tenant.tenant_id);
    const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
    const visible = remaining.filter(
      ({ residency, saving }) =>
        isInLane(residency, caller.residency) &&
        (!RECORD_SAVINGS.has(saving) || caller.scopes.has(RECORDS_SCOPE)),
    );
    return toPage(visible, limit, ({ id }) => ulidInId(id));
  });
});
