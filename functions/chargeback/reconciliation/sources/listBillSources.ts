import { listBillSources } from '../../../../schemas/routes/chargeback/billSources.ts';
import { operation } from '../../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../../platform/http/pages/paging.ts';
import { toBillSource } from './toBillSource.ts';

export default operation(listBillSources, (call) => {
  const { caller, receivedAt, stores } = call;
  return respondWithPage(listBillSources, call, async (start, limit) => {
    const { items, resume } = await readNewest(
      (range) => stores.billSources.sources(caller.tenant.tenant_id, range),
      start,
      limit,
      ({ id }) => id,
    );
    return { items: items.map((source) => toBillSource(source, receivedAt, stores.importRoleArn)), resume };
  });
});
