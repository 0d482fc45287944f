import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { queues } from '../../../schemas/platform/queues.ts';
import { eventProcessor } from '../../attribution/engine/inbound/processEvent.ts';
import { messageUnpacker } from '../../attribution/engine/inbound/unpackMessage.ts';
import { eventRecorder } from '../../attribution/engine/recordEvent.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { traceCorrelator } from '../../attribution/engine/traceCorrelation.ts';
import { endpointReader } from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import { deadLetterQueue } from '../../ingest/events/deadLetter.aws.ts';
import { readInboundMessage } from '../../ingest/events/inboundMessage.ts';
import { scrubExhausted } from '../../ingest/events/scrubExhausted.ts';
import { deadLetterSender } from '../../ingest/events/sendToDeadLetterQueue.ts';
import { heartbeatRecorder } from '../../insight/coverage/captureHeartbeats.ts';
import { heartbeatStore } from '../../insight/coverage/heartbeat.store.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { dedupClaimStore } from '../../ledger/records/dedupClaim.store.ts';
import { ledgerWriter } from '../../ledger/records/ledger.store.ts';
import { raisedVersionLog } from '../../ledger/records/raisedVersionLog.store.ts';
import { shardBitsStore } from '../../ledger/records/shardBits.store.ts';
import { shardBitsControl } from '../../ledger/records/shardBitsControl.ts';
import { traceStore } from '../../ledger/records/trace.store.ts';
import { gatherMarks } from '../../ledger/rollups/gatherMarks.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { isExhausted, receivesOf } from '../../platform/queue/failure.ts';
import { itemQueueHandler } from '../../platform/queue/itemQueueHandler.ts';
import { setAsideExhausted } from '../../platform/queue/setAside.aws.ts';
import { cacheLookups } from '../../platform/shared/lookupCache.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { counterStore } from '../../tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../tenants/diagnostics/counters.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import { isBeforeReset } from '../../tenants/sandbox/sandbox.ts';
import { attributionContextFromEnv } from '../wiring/attributionContextFromEnv.ts';
import { archiveFromEnv, recordVersionsFromEnv } from '../wiring/ledgerFromEnv.ts';
import { rollupMarkerFromEnv } from '../wiring/rollupMarkerFromEnv.ts';

const TENANT_CACHE_MS = 5_000;
const TENANT_CACHE_CAPACITY = 1_000;
/**
 * Events in progress at the same time, over all messages of an invocation. They share most calls: the more there are, the
 * fuller the calls. Each has at most one call in flight. Far more would wait so long for the one thread that calls time out.
 */
const EVENTS_IN_FLIGHT = 64;

const environment = z
  .object({ SOURCE_ACCEPTED: z.string(), SINGLE_TENANT: z.string().optional() })
  .parse(process.env);

const tenants = tenantReader(resource('table', 'tenants'));
const sandboxes = sandboxStore(resource('table', 'tenants'));
const tenantById = cacheLookups(tenants.tenant, {
  lifetime: TENANT_CACHE_MS,
  capacity: TENANT_CACHE_CAPACITY,
  clock: systemClock,
});
const sandboxState = cacheLookups(async (tenantId) => (await sandboxes.find(tenantId))?.document ?? null, {
  lifetime: TENANT_CACHE_MS,
  capacity: TENANT_CACHE_CAPACITY,
  clock: systemClock,
});
const deadLetters = deadLetterQueue(resource('queue', 'acceptedDeadLetter'));
const ledger = resource('table', 'ledger');
const reportProgress = progressReporter(progressStore(resource('table', 'counters')));
/** The reports of this invocation, which must end before Lambda freezes the process. */
const progress: Promise<void>[] = [];
const marks = gatherMarks(rollupMarkerFromEnv());
const isRaised = recordSubscription(
  endpointReader(resource('table', 'webhooks')),
  systemClock,
  raisedVersionLog(resource('table', 'outbox')),
);
const archive = archiveFromEnv();
const revise = reviser(recordVersionsFromEnv(archive), systemClock, isRaised);
const recordEvent = eventRecorder({
  isRaised,
  isArchived: archive.has,
  revise,
  claims: dedupClaimStore(resource('table', 'claims')),
  ledger: ledgerWriter(ledger),
  shardBits: shardBitsControl(shardBitsStore(ledger), systemClock),
  mark: marks.add,
  attributionContext: attributionContextFromEnv({ tenants }),
  correlateSpan: traceCorrelator({
    traces: traceStore(resource('table', 'traces')),
    revise,
    mark: marks.add,
    clock: systemClock,
  }),
});

const counters = hourlyCounters(counterStore(resource('table', 'counters')), systemClock, randomUUID);
const sendToDeadLetterQueue = deadLetterSender(deadLetters);

const setAside = setAsideExhausted(resource('queue', 'acceptedDeadLetter'));
const scrubProducerMessage = scrubExhausted({
  deadLetters,
  trustedSource: environment.SOURCE_ACCEPTED,
  isExhausted: (message, error) =>
    isExhausted(message, error) || receivesOf(message) >= queues.ingestion.maxReceiveCount,
});

const processMessages = itemQueueHandler({
  unpack: messageUnpacker({
    read: (message) =>
      readInboundMessage(message, {
        trustedSource: environment.SOURCE_ACCEPTED,
        singleTenant: environment.SINGLE_TENANT,
        tenants,
      }),
    tenantById,
    isDeleted: async (tenant, receivedAt) => {
      const sandbox = tenant.sandbox === true ? await sandboxState(tenant.tenant_id) : null;
      return sandbox !== null && isBeforeReset(sandbox, receivedAt);
    },
    sendToDeadLetterQueue,
    count: counters.note,
    onRecorded: (tenantId, receivedAt) => {
      measure('recordLatency', systemClock() - receivedAt);
      progress.push(reportProgress(tenantId, 'recorded', receivedAt));
    },
  }),
  process: eventProcessor({
    recordEvent,
    recordHeartbeat: heartbeatRecorder(heartbeatStore(resource('table', 'coverage'))),
    sendToDeadLetterQueue,
    elapsed: () => performance.now(),
  }),
  complete: marks.flush,
  setAside: async (record, error) =>
    record.eventSourceARN === environment.SOURCE_ACCEPTED
      ? setAside(record, error)
      : scrubProducerMessage(record, error),
  returnSoon: failedMessages([resource('queue', 'accepted'), resource('queue', 'ingestion')]),
  concurrency: EVENTS_IN_FLIGHT,
  pause: sleep,
});

export const handler = withMetrics(
  async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    const response = await processMessages(event, context);
    await Promise.all([counters.flush(), ...progress.splice(0)]);
    return response;
  },
);
