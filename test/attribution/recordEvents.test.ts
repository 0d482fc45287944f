import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noInference } from '../../functions/attribution/inference.ts';
import { noMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { eventRecorder } from '../../functions/attribution/recordEvent.ts';
import { eventWriteBuilder } from '../../functions/attribution/recordEvents.ts';
import { reviser } from '../../functions/attribution/revise.ts';
import { traceCorrelator } from '../../functions/attribution/traceCorrelation.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import { recordVersionStore } from '../../functions/ledger/recordVersion.store.ts';
import { traceStore } from '../../functions/ledger/trace.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { claims, ledger } from '../ledger/crashFixture.ts';
import { eventIdOf, newTenant } from '../ledger/ledgerFixture.ts';
import { noSpread } from '../ledger/spreadInTurn.ts';
import { type LiveTables, startTables } from '../support/tables.ts';
import { anEvent, noFactors } from './events.ts';

const RECEIVED = Date.parse('2026-03-15T12:00:00Z');

let live: LiveTables;
let now = RECEIVED;
const clock = (): number => {
  now += 1;
  return now;
};

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

/** Records events of a tenant with an endpoint subscribed to `subscribed`. `onRead` is called on each read of endpoints. */
const recording = (subscribed: readonly string[], onRead: () => void = () => undefined) => {
  const buildEventWrites = eventWriteBuilder(
    {
      endpoints: {
        endpointsOf: async () => {
          onRead();
          return [{ events: [] }, { events: [...subscribed] }];
        },
      },
      outbox: outbox('outbox'),
    },
    clock,
  );
  const mark = async (): Promise<void> => undefined;
  const record = eventRecorder({
    claims,
    ledger,
    spread: noSpread,
    mark,
    buildEventWrites,
    correlateSpan: traceCorrelator({
      traces: traceStore('traces'),
      revise: reviser(recordVersionStore('ledger', clock), clock, buildEventWrites),
      mark,
      clock,
    }),
    attributionContext: async () => ({ factors: noFactors, mappings: noMappings, infer: noInference }),
  });
  return (event: InvocationEvent, tenant: Tenant) =>
    record(event, { receivedAt: RECEIVED, residency: null }, tenant);
};

const TYPE = 'attribution.materialized';
const raisedEvents = async (tenant: Tenant) =>
  (await live.eventsOf(tenant)).map(({ type, data, interpretation }) => ({
    type,
    data,
    interpretation,
  }));

describe('the attribution.materialized event', () => {
  it('is raised with the record when an endpoint subscribes to it', async () => {
    const tenant = newTenant();
    const event = anEvent({ event_id: eventIdOf(1), attributed_identity: 'team-a' });

    await recording([TYPE])(event, tenant);

    expect(await raisedEvents(tenant)).toEqual([
      {
        type: TYPE,
        data: expect.objectContaining({
          attribution_id: expect.stringMatching(/^att_/),
          version: 1,
          owner: 'team-a',
          output_state: 'deterministically_resolved',
          cost_usd: null,
        }),
        interpretation: expect.objectContaining({ stage_origin: 'stage_a' }),
      },
    ]);
  });

  it('is not raised when no endpoint subscribes to it', async () => {
    const tenant = newTenant();

    await recording(['export.completed'])(anEvent({ event_id: eventIdOf(2) }), tenant);

    expect(await raisedEvents(tenant)).toEqual([]);
  });

  it('is raised once for duplicate deliveries', async () => {
    const tenant = newTenant();
    const record = recording([TYPE]);
    const event = anEvent({ event_id: eventIdOf(3) });

    await Promise.all([record(event, tenant), record(event, tenant)]);
    await record({ ...event, ingestion_timestamp: '2026-03-15T11:00:00Z' }, tenant);

    expect(await raisedEvents(tenant)).toHaveLength(1);
  });

  it('is raised again for the new version after trace correlation', async () => {
    const tenant = newTenant();
    const record = recording([TYPE]);
    const trace_id = 'a trace';

    await record(
      anEvent({ event_id: eventIdOf(4), trace_id, span_id: 'below', parent_span_id: 'root' }),
      tenant,
    );
    await record(
      anEvent({ event_id: eventIdOf(5), trace_id, span_id: 'root', attributed_identity: 'team-root' }),
      tenant,
    );

    const versions = (await raisedEvents(tenant)).map(({ data }) => [data['version'], data['owner']]);
    expect(versions).toHaveLength(3);
    expect(versions).toContainEqual([2, 'team-root']);
  });

  it('reads the endpoints of a tenant from a cache', async () => {
    const tenant = newTenant();
    let reads = 0;
    const record = recording([TYPE], () => {
      reads += 1;
    });

    for (let index = 10; index < 20; index += 1) {
      await record(anEvent({ event_id: eventIdOf(index) }), tenant);
    }

    expect(reads).toBe(1);
    expect(await raisedEvents(tenant)).toHaveLength(10);
  });
});
