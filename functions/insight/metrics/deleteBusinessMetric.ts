import { deleteBusinessMetric } from '../../../schemas/routes/insight/businessMetrics.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { metricResource } from './metricResource.ts';

export default operation(deleteBusinessMetric, async (call) => {
  await metricResource(call.stores.metricStore).remove(call);
  return reply(204, undefined);
});
