import type { SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import * as z from 'zod';
import { counterNames } from '../../../schemas/diagnostics.ts';
import { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { lessons } from '../../attribution/learn.ts';
import { announcer } from '../../attribution/materialized.ts';
import { AttributionFault, recorder } from '../../attribution/record.ts';
import { reviser } from '../../attribution/revise.ts';
import { sightingStore } from '../../coverage/sighting.store.ts';
import { sightings } from '../../coverage/sightings.ts';
import { counterStore } from '../../diagnostics/counter.store.ts';
import { hourlyCounters } from '../../diagnostics/counters.ts';
import { outbox } from '../../events/outbox.store.ts';
import { fieldErrors } from '../../http/validate.ts';
import { deadLetterQueue } from '../../ingestion/deadLetter.store.ts';
import type { DeadLetterReason } from '../../ingestion/deadLetter.ts';
import { type Delivery, readDelivery } from '../../ingestion/delivery.ts';
import { timeFaults } from '../../ingestion/event.ts';
import { claimStore } from '../../ledger/claim.store.ts';
import { correctionLedger } from '../../ledger/correction.store.ts';
import { ledgerWriter } from '../../ledger/ledger.store.ts';
import { traceStore } from '../../ledger/trace.store.ts';
import { queueHandler } from '../../queue/batch.ts';
import { marker } from '../../rollups/mark.ts';
import { rollupQueue } from '../../rollups/queue.store.ts';
import { cached } from '../../shared/cached.ts';
import { systemClock } from '../../shared/clock.ts';
import { log } from '../../shared/log.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { endpointReader } from '../../webhooks/endpoints/endpoint.store.ts';
import { judgingHere } from '../wiring/judgingHere.ts';

const TENANT_LIFETIME = 5_000;
const TENANT_CAPACITY = 1_000;
/** Events of one message written at once. */
const CONCURRENCY = 16;

const environment = z
  .object({ SOURCE_ACCEPTED: z.string(), SINGLE_TENANT: z.string().optional() })
  .parse(process.env);

const tenants = tenantReader(resource('table', 'tenants'));
const tenantById = cached(tenants.tenant, {
  lifetime: TENANT_LIFETIME,
  capacity: TENANT_CAPACITY,
  clock: systemClock,
});
const deadLetters = deadLetterQueue(resource('queue', 'acceptedDeadLetter'));
const ledger = resource('table', 'ledger');
const mark = marker(rollupQueue(resource('queue', 'rollups')), systemClock);
const announce = announcer(
  {
    endpoints: endpointReader(resource('table', 'webhooks')),
    outbox: outbox(resource('table', 'outbox')),
  },
  systemClock,
);
const record = recorder({
  announce,
  claims: claimStore(resource('table', 'claims')),
  ledger: ledgerWriter(ledger),
  mark,
  judging: judgingHere({ tenants }),
  lessons: lessons({
    traces: traceStore(resource('table', 'traces')),
    revise: reviser(correctionLedger(ledger, systemClock), systemClock, announce),
    mark,
    clock: systemClock,
  }),
});

// At once: what is counted here is rare, and the process may be frozen behind it for long.
const counters = hourlyCounters(counterStore(resource('table', 'counters')), systemClock, 0);
const sight = sightings(sightingStore(resource('table', 'coverage')));

/** What is set aside for want of a tenant is nobody's to see. */
const countSetAside = (tenantId: string | null, reason: DeadLetterReason, count: number): void => {
  const { data: name } = z.enum(counterNames).safeParse(`set_aside_${reason}`);
  if (tenantId !== null && name !== undefined) counters.note(tenantId, name, count);
};

const setAside = async (
  delivery: Delivery,
  reason: DeadLetterReason,
  detail: string,
  events: readonly unknown[],
): Promise<void> => {
  await deadLetters.put({
    reason,
    detail,
    tenant_id: delivery.tenantId,
    sender: delivery.sender,
    received_at: delivery.receivedAt,
    residency: delivery.residency,
    events: [...events],
    digest: delivery.digest,
  });
  log({ level: 'warn', message: 'event set aside', reason, count: Math.max(1, events.length) });
  countSetAside(delivery.tenantId, reason, Math.max(1, events.length));
};

const processEvent = async (sent: unknown, delivery: Delivery, tenant: Tenant): Promise<void> => {
  const { data: event, error } = InvocationEvent.safeParse(sent);
  const faults = error === undefined ? timeFaults(event, delivery.receivedAt) : fieldErrors(error);
  if (event === undefined || faults.length > 0) {
    const detail = faults.map((fault) => `${fault.pointer} ${fault.detail}`).join('; ');
    await setAside(delivery, 'invalid_event', detail, [sent]);
    return;
  }
  try {
    await sight(tenant, event, delivery);
    const outcome = await record(event, delivery, tenant);
    if (outcome === 'duplicate') counters.note(tenant.tenant_id, 'duplicates');
    if (outcome === 'duplicate_mismatch') {
      counters.note(tenant.tenant_id, 'duplicate_mismatches');
      log({ level: 'warn', message: 'duplicate_mismatch', tenant_id: tenant.tenant_id });
    }
  } catch (fault) {
    if (!(fault instanceof AttributionFault)) throw fault;
    await setAside(delivery, 'attribution_failed', 'The event could not be attributed.', [event]);
  }
};

const processMessage = async (message: SQSRecord): Promise<void> => {
  const delivery = await readDelivery(message, {
    trustedSource: environment.SOURCE_ACCEPTED,
    singleTenant: environment.SINGLE_TENANT,
    tenants,
  });
  if (delivery.fault !== null) {
    await setAside(delivery, delivery.fault, 'See the reason.', delivery.events);
    return;
  }
  const tenant = delivery.tenantId === null ? null : await tenantById(delivery.tenantId);
  if (tenant === null) {
    await setAside(delivery, 'unknown_tenant', 'There is no such tenant.', delivery.events);
    return;
  }
  await pMap(delivery.events, (event) => processEvent(event, delivery, tenant), { concurrency: CONCURRENCY });
};

export const handler = queueHandler(async (message) => {
  await processMessage(message);
  await counters.flush();
});
