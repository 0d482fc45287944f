import { listAnomalies } from '../../schemas/routes/anomalies.ts';
import { operation } from '../http/operation.ts';
import { readNewest, respondWithPage } from '../http/paging.ts';
import type { DocumentRange } from '../shared/aws/document.store.ts';
import { isInLane } from '../tenancy/residency.ts';

export default operation(listAnomalies, (call) => {
  const { caller, stores } = call;
  const read = (range: DocumentRange) => stores.findings.findings(caller.tenant.tenant_id, range);
  return respondWithPage(listAnomalies, call, async (start, limit) => {
    const { items, resume } = await readNewest(read, start, limit, ({ id }) => id);
    // A page may hold fewer items than the limit when the credential is bound to a lane.
    return { items: items.filter((finding) => isInLane(finding, caller.residency)), resume };
  });
});
