import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { noInference } from '../../../../functions/attribution/engine/inference.ts';
import { eventRecorder } from '../../../../functions/attribution/engine/recordEvent.ts';
import { recordSubscription } from '../../../../functions/attribution/engine/recordSubscription.ts';
import { reviser } from '../../../../functions/attribution/engine/revise.ts';
import { traceCorrelator } from '../../../../functions/attribution/engine/trace/traceCorrelation.ts';
import { noMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import {
  type ListRaisedVersion,
  raisedVersionLog,
} from '../../../../functions/ledger/records/raised/raisedVersionLog.store.ts';
import {
  eventOfVersion,
  raisedVersions,
} from '../../../../functions/ledger/records/raised/raisedVersions.store.ts';
import { recordVersionStore } from '../../../../functions/ledger/records/recordVersion.store.ts';
import { traceStore } from '../../../../functions/ledger/records/trace/trace.store.ts';
import { traceAgreementStore } from '../../../../functions/ledger/records/trace/traceAgreement.store.ts';
import { type RaisedItem, relay } from '../../../../functions/platform/outbox/relay.ts';
import type { ItemKey } from '../../../../functions/platform/outbox/unpublishedEvents.store.ts';
import { ulidInId } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { aKey, anEvent, noFactors } from '../../../attribution/engine/events.ts';
import { noSameCall } from '../../../attribution/engine/noSameCall.ts';
import { followStream, isConsumed } from '../../../support/streams.ts';
import { startTables } from '../../../support/tables.ts';
import { claims, ledger } from '../crashFixture.ts';
import { eventIdOf, newTenant } from '../ledgerFixture.ts';
import { oneShard } from '../shards/shardBitsInTurn.ts';

const RECEIVED = Date.parse('2026-03-15T12:00:00Z');
const TYPE = 'attribution.materialized';

let now = RECEIVED;
const clock = (): number => {
  now += 1;
  return now;
};
const versions = raisedVersions('outbox', 'ledger');

const live = await startTables();
const followLedger = followStream(live, 'ledger');
afterAll(() => live.stop());

/** Records events of a tenant with an endpoint subscribed to `subscribed`. `onRead` is called on each read of endpoints. */
const recording = (
  subscribed: readonly string[],
  onRead: () => void = () => undefined,
  list: ListRaisedVersion = raisedVersionLog('outbox'),
) => {
  const endpointsOf = async () => {
    onRead();
    return [{ events: [] }, { events: [...subscribed] }];
  };
  const isRaised = recordSubscription({ endpointsOf }, clock, list);
  const mark = async (): Promise<void> => undefined;
  const corrections = recordVersionStore('ledger', clock);
  const revise = reviser(corrections, clock, isRaised);
  const record = eventRecorder({
    isArchived: () => Promise.resolve(false),
    sameCall: noSameCall,
    auditRejection: async () => undefined,
    revise,
    claims,
    ledger,
    shardBits: oneShard,
    mark,
    isRaised,
    ...traceCorrelator({
      traces: traceStore('traces'),
      agreements: traceAgreementStore('traces'),
      records: corrections,
      requestPass: async () => undefined,
      revise,
      mark,
      clock,
    }),
    attributionContext: async () => ({ factors: noFactors, mappings: noMappings, infer: noInference }),
  });
  return (event: InvocationEvent, tenant: Tenant, receivedAt = RECEIVED) =>
    record(event, { receivedAt, residency: null, statedBy: aKey }, tenant);
};

/** The items that the change stream of the ledger has passed to the publisher since the last call, with failing tenants aside. */
const published = async (failing: readonly Tenant[] = []) => {
  const items: RaisedItem[] = [];
  const aside: ItemKey[] = [];
  const handle = relay({
    eventOf: eventOfVersion,
    publish: async (tenantId, raised) => {
      if (failing.some(({ tenant_id }) => tenant_id === tenantId)) throw new Error('no answer');
      items.push(...raised);
    },
    queueForRetry: async (_, keys) => {
      aside.push(...keys);
    },
    clock: Date.now,
  });
  for (;;) {
    const happened = await followLedger(async (Records) => {
      await handle({ Records: Records.filter(isConsumed('ledger')) });
    });
    if (!happened) return { events: items.map(({ event }) => event), aside };
  }
};
const eventsOf = async ({ tenant_id }: Tenant): Promise<RaisedEvent[]> =>
  (await published()).events.filter((event) => event.tenant_id === tenant_id);

describe('the change stream of the ledger', () => {
  it('raises attribution.materialized with the record when an endpoint subscribes to it', async () => {
    const tenant = newTenant();
    const event = anEvent({ event_id: eventIdOf(1), attributed_identity: 'team-a' });

    await recording([TYPE])(event, tenant);

    expect(await eventsOf(tenant)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: TYPE,
        tenant_id: tenant.tenant_id,
        created_at: expect.any(String),
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

  it('passes no version when no endpoint subscribes to it', async () => {
    const tenant = newTenant();

    await recording(['export.completed'])(anEvent({ event_id: eventIdOf(2) }), tenant);

    expect(await eventsOf(tenant)).toEqual([]);
  });

  it('raises one event for duplicate deliveries', async () => {
    const tenant = newTenant();
    const record = recording([TYPE]);
    const event = anEvent({ event_id: eventIdOf(3) });

    await Promise.all([record(event, tenant), record(event, tenant)]);
    await record({ ...event, ingestion_timestamp: '2026-03-15T11:00:00Z' }, tenant);

    expect(await eventsOf(tenant)).toHaveLength(1);
  });

  it('raises an event for the new version after trace correlation, and none for the end of the old one', async () => {
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

    const raised = (await eventsOf(tenant)).map(({ data }) => [data['version'], data['owner']]);
    expect(raised).toHaveLength(3);
    expect(raised).toContainEqual([2, 'team-root']);
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
    expect(await eventsOf(tenant)).toHaveLength(10);
  });

  it('sets the keys of unpublished versions aside, from which the same events are read later', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const record = recording([TYPE]);
    await record(anEvent({ event_id: eventIdOf(20) }), tenant);
    await record(anEvent({ event_id: eventIdOf(21) }), other);

    const { events, aside } = await published([tenant]);
    const later = await versions.items(tenant.tenant_id, aside);

    expect(events.map(({ tenant_id }) => tenant_id)).toEqual([other.tenant_id]);
    expect(later.map(({ event }) => event.data['invocation_id'])).toHaveLength(1);
    expect(await versions.items(other.tenant_id, aside)).toEqual([]);
  });
});

describe('the list of versions that raised an event', () => {
  it('leads from the id of an event to the same event', async () => {
    const tenant = newTenant();
    await recording([TYPE])(anEvent({ event_id: eventIdOf(30) }), tenant);

    const [event] = await eventsOf(tenant);
    const ulid = ulidInId(event?.id ?? '');

    expect(await versions.event(tenant.tenant_id, ulid)).toEqual(event);
    expect(await versions.event(newTenant().tenant_id, ulid)).toBeNull();
    expect(await versions.event(tenant.tenant_id, `${ulid.slice(0, -2)}00`)).toBeNull();
  });

  it('returns the events of a time range in order, also before they are published', async () => {
    const tenant = newTenant();
    const record = recording([TYPE]);
    const send = (index: number) =>
      record(anEvent({ event_id: eventIdOf(40 + index) }), tenant, RECEIVED + index * 400);
    await Promise.all(Array.from({ length: 12 }, (_, index) => send(index)));
    await send(3);
    const between = (from: number, to: number) =>
      versions.between(tenant.tenant_id, { from: RECEIVED + from, to: RECEIVED + to, limit: 100 });
    const unpublished = await between(0, 60_000);
    const all = (await eventsOf(tenant)).toSorted((one, other) => (one.id < other.id ? -1 : 1));

    expect(unpublished).toEqual(all);
    await fc.assert(
      fc.asyncProperty(fc.nat(5_000), fc.nat(5_000), async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const within = ({ created_at }: RaisedEvent) =>
          Date.parse(created_at) >= RECEIVED + from && Date.parse(created_at) < RECEIVED + to;
        expect(await between(from, to)).toEqual(all.filter(within));
      }),
      { numRuns: 20 },
    );
    expect(await versions.between(tenant.tenant_id, { from: 0, to: RECEIVED + 60_000, limit: 5 })).toBeNull();
  });

  it('is written before the version, and returns no event for a version that was never written', async () => {
    const tenant = newTenant();
    const event = anEvent({ event_id: eventIdOf(60) });
    const list = raisedVersionLog('outbox');
    const crashing = recording([TYPE], undefined, async (key, version) => {
      await list(key, version);
      throw new Error('killed');
    });
    const range = { from: RECEIVED, to: RECEIVED + 60_000, limit: 100 };

    await expect(crashing(event, tenant)).rejects.toThrow('killed');
    expect(await keysOf(tenant)).toEqual([]);
    expect(await versions.between(tenant.tenant_id, range)).toEqual([]);

    await recording([TYPE])(event, tenant);
    expect(await versions.between(tenant.tenant_id, range)).toHaveLength(1);
  });
});

/** The keys of a tenant's versions. */
const keysOf = async ({ tenant_id }: Tenant): Promise<ItemKey[]> => {
  const text = await live.everything('ledger');
  const items: { pk: { S: string }; sk: { S: string } }[] = JSON.parse(text)[0];
  return items
    .map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S }))
    .filter(({ pk, sk }) => pk.startsWith(`${tenant_id}#2`) && sk.length > 10);
};
