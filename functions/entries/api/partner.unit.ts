import getPartnerConnector from '../../insight/coverage/partner/getPartnerConnector.ts';
import getPartnerCoverage from '../../insight/coverage/partner/getPartnerCoverage.ts';
import postPartnerEvents from '../../insight/coverage/partner/postPartnerEvents.ts';
import postPartnerInvocation from '../../insight/coverage/partner/postPartnerInvocation.ts';
import putPartnerHealth from '../../insight/coverage/partner/putPartnerHealth.ts';
import { auditAppend } from '../stores/identity.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { coverageMeterConnector, coverageReadConnector, coverageRecordDiscovery } from '../stores/insight.ts';
import { outboxAppend } from '../stores/platform.ts';
import { progressReport } from '../stores/progress.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    postPartnerInvocation,
    postPartnerEvents,
    getPartnerConnector,
    putPartnerHealth,
    getPartnerCoverage,
  ],
  stores: {
    acceptedSend,
    auditAppend,
    coverageMeterConnector,
    coverageReadConnector,
    coverageRecordDiscovery,
    outboxAppend,
    progressReport,
  },
});
