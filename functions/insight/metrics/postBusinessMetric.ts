import { postBusinessMetric } from '../../../schemas/routes/insight/businessMetrics.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { toMetric } from './metric.store.ts';
import { mergeNumbers, metricUlid } from './metricNumbers.ts';
import { metricResource } from './metricResource.ts';

export default operation(postBusinessMetric, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { name, owner = null, service = null, numbers } = body;
  const metric = { name, owner, service, residency: caller.residency };
  const stored = await metricResource(stores.metricStore).put(call, metricUlid(metric), (id, current) => ({
    id,
    ...metric,
    numbers: mergeNumbers(current?.numbers ?? {}, numbers),
    updated_at: toIso(receivedAt),
    updated_by: caller.principal,
  }));
  return reply(200, toMetric(stored));
});
