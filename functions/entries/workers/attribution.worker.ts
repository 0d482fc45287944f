import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { CounterName } from '../../../schemas/diagnostics.ts';
import { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { queues } from '../../../schemas/platform/queues.ts';
import { AttributionFault, eventRecorder } from '../../attribution/engine/recordEvent.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { traceCorrelator } from '../../attribution/engine/traceCorrelation.ts';
import { endpointReader } from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import { deadLetterQueue } from '../../ingest/events/deadLetter.aws.ts';
import type { DeadLetterReason } from '../../ingest/events/deadLetter.ts';
import { validateEventTimes } from '../../ingest/events/eventTimes.ts';
import { type InboundMessage, readInboundMessage } from '../../ingest/events/inboundMessage.ts';
import { scrubExhausted } from '../../ingest/events/scrubExhausted.ts';
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
import { fieldErrors } from '../../platform/http/inputErrors.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { isExhausted, receivesOf } from '../../platform/queue/failure.ts';
import { itemQueueHandler, type Unpacked } from '../../platform/queue/itemQueueHandler.ts';
import { setAsideExhausted } from '../../platform/queue/setAside.aws.ts';
import { log } from '../../platform/shared/log.ts';
import { cacheLookups } from '../../platform/shared/lookupCache.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { counterStore } from '../../tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../tenants/diagnostics/counters.ts';
import { counterOfDeadLetter, counterOfOutcome } from '../../tenants/diagnostics/eventCounter.ts';
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
const recordHeartbeat = heartbeatRecorder(heartbeatStore(resource('table', 'coverage')));

const sendToDeadLetterQueue = async (
  inbound: InboundMessage,
  reason: DeadLetterReason,
  detail: string,
  events: readonly unknown[],
): Promise<void> => {
  await deadLetters.put({
    reason,
    detail,
    tenant_id: inbound.tenantId,
    sender: inbound.sender,
    received_at: inbound.receivedAt,
    residency: inbound.residency,
    events: [...events],
    digest: inbound.digest,
  });
  measure('setAside', Math.max(1, events.length));
  log({
    level: 'warn',
    message: 'event sent to the dead-letter queue',
    reason,
    count: Math.max(1, events.length),
  });
};

interface InboundEvent {
  readonly event: unknown;
  readonly inbound: InboundMessage;
  readonly tenant: Tenant;
}

/** Returns the counter that the event increments, if any. */
const processEvent = async (
  { event: rawEvent, inbound, tenant }: InboundEvent,
  attempt: number,
): Promise<CounterName | undefined> => {
  const { data: event, error } = InvocationEvent.safeParse(rawEvent);
  const startedAt = performance.now();
  const errors = error === undefined ? validateEventTimes(event, inbound.receivedAt) : fieldErrors(error);
  if (event === undefined || errors.length > 0) {
    const detail = errors.map(({ pointer, detail: reason }) => `${pointer} ${reason}`).join('; ');
    await sendToDeadLetterQueue(inbound, 'invalid_event', detail, [rawEvent]);
    return counterOfDeadLetter('invalid_event');
  }
  try {
    await recordHeartbeat(tenant, event, inbound);
    const outcome = await recordEvent(event, inbound, tenant);
    if (outcome === 'recorded') {
      measure('recorded');
      measure('eventTime', performance.now() - startedAt);
    }
    if (outcome === 'duplicate' || outcome === 'duplicate_mismatch') measure('duplicates');
    if (outcome === 'duplicate_mismatch') {
      log({ level: 'warn', message: 'duplicate_mismatch', tenant_id: tenant.tenant_id });
    }
    // A second attempt meets the record of the first.
    return counterOfOutcome(outcome, inbound.isRedelivered || attempt > 1);
  } catch (failure) {
    if (!(failure instanceof AttributionFault)) throw failure;
    await sendToDeadLetterQueue(inbound, 'attribution_failed', 'The event could not be attributed.', [event]);
    return counterOfDeadLetter('attribution_failed');
  }
};

/** A message with a fault has no items, because it goes to the dead-letter queue as a whole. */
const unpackMessage = async (
  message: SQSRecord,
): Promise<Unpacked<InboundEvent, CounterName | undefined>> => {
  const inbound = await readInboundMessage(message, {
    trustedSource: environment.SOURCE_ACCEPTED,
    singleTenant: environment.SINGLE_TENANT,
    tenants,
  });
  if (inbound.fault !== null) {
    await sendToDeadLetterQueue(inbound, inbound.fault, 'See the reason.', inbound.events);
    const name = counterOfDeadLetter(inbound.fault);
    if (inbound.tenantId !== null && name !== undefined) counters.note(inbound.tenantId, name);
    return { items: [], finish: () => undefined };
  }
  const tenant = inbound.tenantId === null ? null : await tenantById(inbound.tenantId);
  if (tenant === null) {
    await sendToDeadLetterQueue(inbound, 'unknown_tenant', 'There is no such tenant.', inbound.events);
    return { items: [], finish: () => undefined };
  }
  const sandbox = tenant.sandbox === true ? await sandboxState(tenant.tenant_id) : null;
  if (sandbox !== null && isBeforeReset(sandbox, inbound.receivedAt))
    return { items: [], finish: () => undefined };
  return {
    items: inbound.events.map((event) => ({ event, inbound, tenant })),
    // Counted only now: a message that fails is delivered again, and counts then.
    finish: (increments) => {
      for (const name of increments) if (name !== undefined) counters.note(tenant.tenant_id, name);
      counters.note(tenant.tenant_id, 'dropped_members', inbound.droppedMembers);
      // Progress is measured from the API. The other queue says nothing about what the API has accepted.
      if (inbound.sender === null) {
        measure('recordLatency', systemClock() - inbound.receivedAt);
        progress.push(reportProgress(tenant.tenant_id, 'recorded', inbound.receivedAt));
      }
    },
  };
};

const setAside = setAsideExhausted(resource('queue', 'acceptedDeadLetter'));
const scrubProducerMessage = scrubExhausted({
  deadLetters,
  trustedSource: environment.SOURCE_ACCEPTED,
  isExhausted: (message, error) =>
    isExhausted(message, error) || receivesOf(message) >= queues.ingestion.maxReceiveCount,
});

const processMessages = itemQueueHandler({
  unpack: unpackMessage,
  process: processEvent,
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
