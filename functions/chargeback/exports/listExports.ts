import { listExports } from '../../../schemas/routes/chargeback/exports.ts';
import { operation } from '../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../platform/http/pages/paging.ts';
import { shownExports } from './job/shownExports.ts';

export default operation(listExports, (call) =>
  respondWithPage(listExports, call, async (start, limit) => {
    const { caller, receivedAt: now, stores } = call;
    const { items, resume } = await readNewest(
      (range) => stores.exports.list(caller.tenant.tenant_id, range),
      start,
      limit,
      ({ job_id }) => job_id,
    );
    // A page may hold fewer exports than the limit.
    return { items: shownExports(caller, items, now), resume };
  }),
);
