import { postMetrics } from '../../../schemas/routes/ingest/otlp.ts';
import { operation } from '../../platform/http/operation.ts';
import { exportReply } from './exportReply.ts';
import { countDataPoints } from './metrics.ts';

const REASON = 'Metrics are not read, because they repeat calls. Send spans or log events of calls.';

/** Rejects all data points with 200, so that exporters that always send metrics neither repeat them nor fail. */
export default operation(
  postMetrics,
  async ({ body: { dataPoints }, header }) =>
    exportReply(header('content-type'), {
      rejectedName: 'rejectedDataPoints',
      rejected: dataPoints,
      message: dataPoints === 0 ? '' : REASON,
    }),
  countDataPoints,
);
