import { listAnomalies } from '../../schemas/routes/anomalies.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { isInLane } from '../tenancy/residency.ts';

export default operation(listAnomalies, ({ query, caller, receivedAt, stores }) =>
  respondWithPage({
    route: listAnomalies,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: async ({ after }, limit) => {
      const range = { after, descending: true, limit: limit + 1 };
      const found = await stores.findings.findings(caller.tenant.tenant_id, range);
      const { items, resume } = toPage(found, limit, ({ id }) => ulidInId(id));
      // A page may hold fewer items than the limit when the credential is bound to a lane.
      return { items: items.filter((finding) => isInLane(finding, caller.residency)), resume };
    },
  }),
);
