import type { SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import * as z from 'zod';
import { counterNames } from '../../../schemas/diagnostics.ts';
import { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { AttributionFault, eventRecorder } from '../../attribution/recordEvent.ts';
import { eventWriteBuilder } from '../../attribution/recordEvents.ts';
import { reviser } from '../../attribution/revise.ts';
import { traceCorrelator } from '../../attribution/traceCorrelation.ts';
import { heartbeatRecorder } from '../../coverage/captureHeartbeats.ts';
import { heartbeatStore } from '../../coverage/heartbeat.store.ts';
import { counterStore } from '../../diagnostics/counter.store.ts';
import { hourlyCounters } from '../../diagnostics/counters.ts';
import { outbox } from '../../events/outbox.store.ts';
import { fieldErrors } from '../../http/validate.ts';
import { deadLetterQueue } from '../../ingestion/deadLetter.store.ts';
import type { DeadLetterReason } from '../../ingestion/deadLetter.ts';
import { validateEventTimes } from '../../ingestion/eventTimes.ts';
import { type InboundMessage, readInboundMessage } from '../../ingestion/inboundMessage.ts';
import { dedupClaimStore } from '../../ledger/dedupClaim.store.ts';
import { ledgerWriter } from '../../ledger/ledger.store.ts';
import { recordVersionStore } from '../../ledger/recordVersion.store.ts';
import { traceStore } from '../../ledger/trace.store.ts';
import { queueHandler } from '../../queue/queueHandler.ts';
import { dirtyMarker } from '../../rollups/markDirty.ts';
import { rollupQueue } from '../../rollups/queue.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { log } from '../../shared/log.ts';
import { cacheLookups } from '../../shared/lookupCache.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { endpointReader } from '../../webhooks/endpoints/endpoint.store.ts';
import { attributionContextFromEnv } from '../wiring/attributionContextFromEnv.ts';

const TENANT_CACHE_MS = 5_000;
const TENANT_CACHE_CAPACITY = 1_000;
/** The number of events of one message that are processed in parallel. */
const CONCURRENCY = 16;

const environment = z
  .object({ SOURCE_ACCEPTED: z.string(), SINGLE_TENANT: z.string().optional() })
  .parse(process.env);

const tenants = tenantReader(resource('table', 'tenants'));
const tenantById = cacheLookups(tenants.tenant, {
  lifetime: TENANT_CACHE_MS,
  capacity: TENANT_CACHE_CAPACITY,
  clock: systemClock,
});
const deadLetters = deadLetterQueue(resource('queue', 'acceptedDeadLetter'));
const ledger = resource('table', 'ledger');
const mark = dirtyMarker(rollupQueue(resource('queue', 'rollups')), systemClock);
const buildEventWrites = eventWriteBuilder(
  {
    endpoints: endpointReader(resource('table', 'webhooks')),
    outbox: outbox(resource('table', 'outbox')),
  },
  systemClock,
);
const recordEvent = eventRecorder({
  buildEventWrites,
  claims: dedupClaimStore(resource('table', 'claims')),
  ledger: ledgerWriter(ledger),
  mark,
  attributionContext: attributionContextFromEnv({ tenants }),
  correlateSpan: traceCorrelator({
    traces: traceStore(resource('table', 'traces')),
    revise: reviser(recordVersionStore(ledger, systemClock), systemClock, buildEventWrites),
    mark,
    clock: systemClock,
  }),
});

// Flushed after each message: these counts are rare, and Lambda may freeze the process for a long time.
const counters = hourlyCounters(counterStore(resource('table', 'counters')), systemClock, 0);
const recordHeartbeat = heartbeatRecorder(heartbeatStore(resource('table', 'coverage')));

/** Dead letters without a known tenant are not counted, because counters belong to a tenant. */
const countDeadLetters = (tenantId: string | null, reason: DeadLetterReason, count: number): void => {
  const { data: name } = z.enum(counterNames).safeParse(`set_aside_${reason}`);
  if (tenantId !== null && name !== undefined) counters.note(tenantId, name, count);
};

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
  log({
    level: 'warn',
    message: 'event sent to the dead-letter queue',
    reason,
    count: Math.max(1, events.length),
  });
  countDeadLetters(inbound.tenantId, reason, Math.max(1, events.length));
};

const processEvent = async (rawEvent: unknown, inbound: InboundMessage, tenant: Tenant): Promise<void> => {
  const { data: event, error } = InvocationEvent.safeParse(rawEvent);
  const errors = error === undefined ? validateEventTimes(event, inbound.receivedAt) : fieldErrors(error);
  if (event === undefined || errors.length > 0) {
    const detail = errors.map(({ pointer, detail: reason }) => `${pointer} ${reason}`).join('; ');
    await sendToDeadLetterQueue(inbound, 'invalid_event', detail, [rawEvent]);
    return;
  }
  try {
    await recordHeartbeat(tenant, event, inbound);
    const outcome = await recordEvent(event, inbound, tenant);
    if (outcome === 'duplicate') counters.note(tenant.tenant_id, 'duplicates');
    if (outcome === 'duplicate_mismatch') {
      counters.note(tenant.tenant_id, 'duplicate_mismatches');
      log({ level: 'warn', message: 'duplicate_mismatch', tenant_id: tenant.tenant_id });
    }
  } catch (failure) {
    if (!(failure instanceof AttributionFault)) throw failure;
    await sendToDeadLetterQueue(inbound, 'attribution_failed', 'The event could not be attributed.', [event]);
  }
};

const processMessage = async (message: SQSRecord): Promise<void> => {
  const inbound = await readInboundMessage(message, {
    trustedSource: environment.SOURCE_ACCEPTED,
    singleTenant: environment.SINGLE_TENANT,
    tenants,
  });
  if (inbound.fault !== null) {
    await sendToDeadLetterQueue(inbound, inbound.fault, 'See the reason.', inbound.events);
    return;
  }
  const tenant = inbound.tenantId === null ? null : await tenantById(inbound.tenantId);
  if (tenant === null) {
    await sendToDeadLetterQueue(inbound, 'unknown_tenant', 'There is no such tenant.', inbound.events);
    return;
  }
  await pMap(inbound.events, (event) => processEvent(event, inbound, tenant), { concurrency: CONCURRENCY });
};

export const handler = queueHandler(async (message) => {
  await processMessage(message);
  await counters.flush();
});
