import { randomUUID } from 'node:crypto';
import { billWriter } from '../../chargeback/reconciliation/bill.store.ts';
import { billImportWriter } from '../../chargeback/reconciliation/imports/billImport.store.ts';
import postBills from '../../chargeback/reconciliation/postBills.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import { discoveryWriter } from '../../insight/coverage/discovery.store.ts';
import postEvents from '../../insight/coverage/signals/postEvents.ts';
import { signalStore } from '../../insight/coverage/signals/signal.store.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { idempotencyClaims } from '../../platform/idempotency/idempotencyClaim.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { counterStore } from '../../tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../tenants/diagnostics/counters.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  reportProgress: progressReporter(progressStore(resource('table', 'counters'))),
  audit,
  signals: signalStore(resource('table', 'signals')),
  discovery: discoveryWriter(resource('table', 'coverage')),
  outbox: outbox(resource('table', 'outbox')),
  counters: hourlyCounters(counterStore(resource('table', 'counters')), systemClock, randomUUID),
  billWriter: billWriter(resource('table', 'bills')),
  billImportWriter: billImportWriter(resource('table', 'bills')),
};

export const handler = unit([postEvents(stores), postBills(stores)], {
  ...pipelineFromEnv(),
  claims: idempotencyClaims(resource('table', 'idempotency')),
  responses: storedResponsesFromEnv(),
});
