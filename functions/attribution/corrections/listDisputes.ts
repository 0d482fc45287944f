import pMap from 'p-map';
import { listDisputes } from '../../../schemas/routes/attribution/corrections.ts';
import { recordPartitionOf } from '../../ledger/records/ledgerKey.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { withFreshness } from '../engine/queries/recordFreshness.ts';

/** Records read in parallel. */
const CONCURRENCY = 16;

export default operation(listDisputes, (call) => {
  const { caller, query, stores } = call;
  const { tenant, residency } = caller;
  return respondWithPage(listDisputes, call, async ({ after }, limit) => {
    const freshness = stores.indexLag.areRecordsStale(tenant.tenant_id);
    const entries = await stores.disputes.disputes(tenant.tenant_id, query.status, {
      after,
      descending: true,
      limit: limit + 1,
    });
    const { items, resume } = toPage(entries, limit, ({ dispute }) => dispute);
    const records = await pMap(
      items,
      async ({ dispute, record: ulid }) => {
        const found = await stores.ledger.newest(tenant.tenant_id, recordPartitionOf(tenant, ulid), ulid);
        // A record that was disputed again is listed at its newest dispute. It may also have been corrected meanwhile.
        const newest = found?.record.dispute;
        const isListed =
          newest !== undefined &&
          ulidInId(newest.id) === dispute &&
          (query.status === undefined || newest.status === query.status);
        return isListed ? found?.record : undefined;
      },
      { concurrency: CONCURRENCY },
    );
    const isStale = await freshness;
    return {
      items: records
        .filter((record) => record !== undefined)
        .filter((record) => isInLane(record.residency, residency))
        .map((record) => withFreshness(record, isStale)),
      resume,
    };
  });
});
