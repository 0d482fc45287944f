import type { Arrival } from '../../../functions/attribution/engine/incomingCall.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { eventIdOf } from '../../ledger/records/ledgerFixture.ts';
import { anEvent } from './events.ts';
import { MARCH, startTraceRecorder, versionsOf } from './trace/traceFixture.ts';

type Members = Record<string, unknown>;

let events = 0;
/** What an observer says of a call that began so many milliseconds after noon. */
const seenBy =
  (observer: Members, latency: number) =>
  (began: number, members: Members = {}): InvocationEvent => {
    events += 1;
    return anEvent({
      event_id: eventIdOf(events),
      occurred_at: new Date(MARCH + began).toISOString(),
      latency_ms: latency,
      ...observer,
      ...members,
    });
  };
export const byAgent = seenBy(
  {
    ingestion_layer: 'otlp',
    source_system: 'coding agent',
    id_basis: 'observation',
    attributed_identity: 'ann',
  },
  1_000,
);
export const byGateway = seenBy(
  { ingestion_layer: 'gateway', source_system: 'litellm', id_basis: 'response.msg' },
  900,
);
export const byProvider = seenBy(
  { ingestion_layer: 'provider_log', source_system: 'bedrock', id_basis: 'request', latency_ms: undefined },
  0,
);
export const bySdk = seenBy({ ingestion_layer: 'otlp', source_system: 'sdk', id_basis: 'observation' }, 950);

export const recordAll = async (
  tenant: Tenant,
  sent: readonly InvocationEvent[],
  arrival: Partial<Arrival> = {},
): Promise<void> => {
  for (const event of sent) await startTraceRecorder()(event, tenant, arrival);
};

/** The newest versions of the records of a tenant. */
export const recordsOf = async (tenant: Tenant) =>
  [...(await versionsOf(tenant)).values()]
    .flatMap((versions) => [...Map.groupBy(versions, ({ attribution }) => attribution.record.id).values()])
    .flatMap((versions) => versions.at(-1)?.attribution ?? []);
export const countedOf = async (tenant: Tenant) =>
  (await recordsOf(tenant)).filter(({ explanation }) => explanation.cost?.source !== 'structure');
export const statesOf = async (tenant: Tenant) =>
  (await recordsOf(tenant)).map(({ record }) => record.interpretation.same_call?.state ?? 'alone').toSorted();

export const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

const inService = { attributed_service: 'checkout' };
/** A framework and the SDK below it in one process, each of which begins a trace. */
export const byFramework = (began: number, members: Members = {}) =>
  byAgent(began, { ...inService, trace_id: `of the framework ${began}`, ...members });
export const byItsSdk = (began: number, members: Members = {}) =>
  bySdk(began, { ...inService, trace_id: `of the SDK ${began}`, ...members });
