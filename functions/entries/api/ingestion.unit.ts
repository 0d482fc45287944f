import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import postInvocation from '../../ingest/events/postInvocation.ts';
import postInvocationBatch from '../../ingest/events/postInvocationBatch.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { idempotencyClaims } from '../../platform/idempotency/idempotencyClaim.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  reportProgress: progressReporter(progressStore(resource('table', 'counters'))),
};

export const handler = unit([postInvocation(stores), postInvocationBatch(stores)], {
  ...pipelineFromEnv(),
  claims: idempotencyClaims(resource('table', 'idempotency')),
});
