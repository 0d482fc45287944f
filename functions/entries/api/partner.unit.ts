import { auditLog } from '../../identity/audit/audit.store.ts';
import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import { connectorMeter, connectorReader } from '../../insight/coverage/connector.store.ts';
import { discoveryWriter } from '../../insight/coverage/discovery.store.ts';
import getPartnerConnector from '../../insight/coverage/partner/getPartnerConnector.ts';
import getPartnerCoverage from '../../insight/coverage/partner/getPartnerCoverage.ts';
import postPartnerEvents from '../../insight/coverage/partner/postPartnerEvents.ts';
import postPartnerInvocation from '../../insight/coverage/partner/postPartnerInvocation.ts';
import putPartnerHealth from '../../insight/coverage/partner/putPartnerHealth.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { idempotencyClaims } from '../../platform/idempotency/idempotencyClaim.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const coverage = resource('table', 'coverage');
const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  accepted: acceptedQueue(resource('queue', 'accepted')),
  reportProgress: progressReporter(progressStore(resource('table', 'counters'))),
  meter: connectorMeter(coverage),
  connectors: connectorReader(coverage),
  discovery: discoveryWriter(coverage),
  outbox: outbox(resource('table', 'outbox')),
};

export const handler = unit(
  [
    postPartnerInvocation(stores),
    postPartnerEvents(stores),
    getPartnerConnector(stores),
    putPartnerHealth(stores),
    getPartnerCoverage(stores),
  ],
  {
    ...pipelineFromEnv(),
    claims: idempotencyClaims(resource('table', 'idempotency')),
    responses: storedResponsesFromEnv(),
  },
);
