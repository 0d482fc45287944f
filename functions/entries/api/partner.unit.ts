import { auditLog } from '../../audit/audit.store.ts';
import { connectorMeter, connectorReader } from '../../coverage/connector.store.ts';
import { discoveryWriter } from '../../coverage/discovery.store.ts';
import { outbox } from '../../events/outbox.store.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { progressReporter } from '../../freshness/progress.ts';
import { idempotencyClaims } from '../../idempotency/idempotencyClaim.store.ts';
import { acceptedQueue } from '../../ingestion/acceptedQueue.store.ts';
import getPartnerConnector from '../../partner/getPartnerConnector.ts';
import getPartnerCoverage from '../../partner/getPartnerCoverage.ts';
import postPartnerEvents from '../../partner/postPartnerEvents.ts';
import postPartnerInvocation from '../../partner/postPartnerInvocation.ts';
import putPartnerHealth from '../../partner/putPartnerHealth.ts';
import { resource } from '../../shared/settings.ts';
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
