import postCallLogs from '../../ingest/callLogs/postCallLogs.ts';
import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import postLogs from '../../ingest/otlp/postLogs.ts';
import postMetrics from '../../ingest/otlp/postMetrics.ts';
import postTraces from '../../ingest/otlp/postTraces.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  reportProgress: progressReporter(progressStore(resource('table', 'counters'))),
};

export const handler = unit(
  [postTraces(stores), postLogs(stores), postMetrics(stores), postCallLogs(stores)],
  pipelineFromEnv(),
);
