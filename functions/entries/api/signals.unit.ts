import { randomUUID } from 'node:crypto';
import { auditLog } from '../../audit/audit.store.ts';
import { discoveryWriter } from '../../coverage/discovery.store.ts';
import { counterStore } from '../../diagnostics/counter.store.ts';
import { hourlyCounters } from '../../diagnostics/counters.ts';
import { outbox } from '../../events/outbox.store.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { progressReporter } from '../../freshness/progress.ts';
import { idempotencyClaims } from '../../idempotency/idempotencyClaim.store.ts';
import { acceptedQueue } from '../../ingestion/acceptedQueue.store.ts';
import { billWriter } from '../../reconciliation/bill.store.ts';
import { billImportWriter } from '../../reconciliation/imports/billImport.store.ts';
import postBills from '../../reconciliation/postBills.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import postEvents from '../../signals/postEvents.ts';
import { signalStore } from '../../signals/signal.store.ts';
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
