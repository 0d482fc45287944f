import { listExportDestinations } from '../../../../schemas/routes/chargeback/exportDestinations.ts';
import { operation } from '../../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../../platform/http/pages/paging.ts';
import { toDestination } from './destination.ts';

export default operation(listExportDestinations, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listExportDestinations, call, async (start, limit) => {
    const { items, resume } = await readNewest(
      (range) => stores.exportDestinations.list(caller.tenant.tenant_id, range),
      start,
      limit,
      ({ id }) => id,
    );
    return { items: items.map((one) => toDestination(one, stores.deliveryRoleArn)), resume };
  });
});
