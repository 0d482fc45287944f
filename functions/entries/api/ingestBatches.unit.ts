import postInvocationBatch from '../../ingest/events/postInvocationBatch.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { progressReport } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [postInvocationBatch],
  stores: { acceptedSend, progressReport },
});
