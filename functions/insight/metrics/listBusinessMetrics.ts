import { listBusinessMetrics } from '../../../schemas/routes/insight/businessMetrics.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import { toMetric } from './metric.store.ts';

export default operation(listBusinessMetrics, (call) => {
  const { caller, stores } = call;
  return respondWithPage(listBusinessMetrics, call, async ({ after }, limit) => {
    const all = await stores.metrics.list(caller.tenant.tenant_id);
    const remaining = all.filter(({ id }) => after === undefined || ulidInId(id) < after);
    const visible = remaining.filter(({ residency }) => isInLane(residency, caller.residency));
    return toPage(visible.map(toMetric), limit, ({ id }) => ulidInId(id));
  });
});
