import { listAnomalies } from '../../../schemas/routes/insight/anomalies.ts';
import { operation } from '../../platform/http/operation.ts';
import { readNewest, respondWithPage } from '../../platform/http/pages/paging.ts';
import type { DocumentRange } from '../../platform/shared/aws/document.store.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { mutedUntil } from './mutes/mutes.ts';

export default operation(listAnomalies, async (call) => {
  const { caller, stores } = call;
  const read = (range: DocumentRange) => stores.findings.findings(caller.tenant.tenant_id, range);
  const evaluated_at = await stores.findings.evaluatedAt(caller.tenant.tenant_id);
  const page = await respondWithPage(listAnomalies, call, async (start, limit) => {
    const [{ items, resume }, { document: mutes }] = await Promise.all([
      readNewest(read, start, limit, ({ id }) => id),
      stores.mutes.find(caller.tenant.tenant_id),
    ]);
    // A page may hold fewer items than the limit when the credential is bound to a lane.
    const visible = items.filter((finding) => isInLane(finding.residency, caller.residency));
    return {
      items: visible.map((finding) => ({
        ...finding,
        muted_until: mutedUntil(mutes, finding, call.receivedAt),
      })),
      resume,
    };
  });
  return { ...page, body: { ...Object(page.body), evaluated_at } };
});
