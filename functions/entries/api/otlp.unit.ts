import postCallLogs from '../../ingest/callLogs/postCallLogs.ts';
import postLogs from '../../ingest/otlp/postLogs.ts';
import postMetrics from '../../ingest/otlp/postMetrics.ts';
import postTraces from '../../ingest/otlp/postTraces.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { progressReport } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [postTraces, postLogs, postMetrics, postCallLogs],
  stores: { acceptedSend, progressReport },
});
