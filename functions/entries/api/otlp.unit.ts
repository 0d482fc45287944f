import postCallLogs from '../../callLogs/postCallLogs.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { progressReporter } from '../../freshness/progress.ts';
import { acceptedQueue } from '../../ingestion/acceptedQueue.store.ts';
import postLogs from '../../otlp/postLogs.ts';
import postMetrics from '../../otlp/postMetrics.ts';
import postTraces from '../../otlp/postTraces.ts';
import { resource } from '../../shared/settings.ts';
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
