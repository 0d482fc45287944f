import { listBillSources } from '../../../schemas/routes/reporting/billSources.ts';
import { operation } from '../../http/operation.ts';
import { readNewest, respondWithPage } from '../../http/paging.ts';
import { orUnavailable } from '../../shared/problem.ts';
import { toBillSource } from './toBillSource.ts';

export default operation(listBillSources, (call) => {
  const { caller, receivedAt, stores } = call;
  return respondWithPage(listBillSources, call, async (start, limit) => {
    const { items, resume } = await orUnavailable(() =>
      readNewest(
        (range) => stores.billSources.sources(caller.tenant.tenant_id, range),
        start,
        limit,
        ({ id }) => id,
      ),
    );
    return { items: items.map((source) => toBillSource(source, receivedAt, stores.importRoleArn)), resume };
  });
});
