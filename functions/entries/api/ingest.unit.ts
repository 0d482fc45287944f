import postInvocation from '../../ingest/events/postInvocation.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { claimsHold, ledgerReadShardBits } from '../stores/ledger.ts';
import { progressReport } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [postInvocation],
  stores: { acceptedSend, claimsHold, ledgerReadShardBits, progressReport },
});
