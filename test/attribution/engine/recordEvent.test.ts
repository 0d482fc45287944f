import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { AttributionFault } from '../../../functions/attribution/engine/recordEvent.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import { contentHash } from '../../../functions/ingest/events/contentHash.ts';
import { occurredAtOf } from '../../../functions/ingest/events/eventTimes.ts';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { listRecords } from '../../../functions/ledger/records/query/listRecords.ts';
import { invocationUlid } from '../../../functions/platform/shared/ids.ts';
import { timeOfUlid } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import {
  Crash,
  type Fault,
  markedMinutes,
  recorderWithFault,
  writes,
} from '../../ledger/records/crashFixture.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { aKey, anEvent } from './events.ts';

const MARCH = Date.parse('2026-03-15T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const reader = ledgerReader('ledger', () => MARCH);

const live = await startTables();
afterAll(() => live.stop());

const at = (receivedAt: number) => ({ receivedAt, residency: null, statedBy: aKey });

/** One delivery of an event. A retry may have other times, and a mismatch has other content. */
const duplicateEvent = (later: number, members: Record<string, unknown> = {}) => ({
  event: anEvent({ occurred_at: new Date(MARCH + later).toISOString(), ...members }),
  arrival: at(MARCH + later + MINUTE),
});

const attributionsOf = async (tenant: Tenant) => {
  const period = { from: 0, to: MARCH + 1_000 * DAY };
  const from = { after: undefined, asOf: MARCH, residency: null };
  const { items } = await listRecords(reader, { tenant, period, descending: false, ...from, limit: 100 });
  return items.map(({ attribution }) => attribution);
};
const recordsOf = async (tenant: Tenant) => (await attributionsOf(tenant)).map(({ record }) => record);

const claimOf = async (tenant: Tenant, event: InvocationEvent) => {
  const pk = { S: `${tenant.tenant_id}#${invocationUlid(tenant.tenant_id, event.event_id)}` };
  const { Item } = await live.client.send(new GetItemCommand({ TableName: 'claims', Key: { pk } }));
  if (Item === undefined) return null;
  const { record, at: received, hash, mismatches } = Item;
  return {
    occurredAt: timeOfUlid(record?.S ?? ''),
    receivedAt: Number(received?.N),
    content: hash?.S,
    mismatches: Number(mismatches?.N ?? 0),
  };
};

describe('eventRecorder', () => {
  it('writes one record with the times of the first delivery', async () => {
    const tenant = newTenant();
    const [first, retry] = [duplicateEvent(0), duplicateEvent(40 * DAY)];

    const outcomes = [
      await recorderWithFault()(first.event, first.arrival, tenant),
      await recorderWithFault()(retry.event, retry.arrival, tenant),
    ];

    expect(outcomes).toEqual(['recorded', 'duplicate']);
    expect(await recordsOf(tenant)).toMatchObject([
      { occurred_at: '2026-03-15T12:00:00.000Z', created_at: '2026-03-15T12:01:00.000Z' },
    ]);
  });

  it('tells a message that is delivered again from an event that is sent again', async () => {
    const tenant = newTenant();
    const [first, retry] = [duplicateEvent(0), duplicateEvent(40 * DAY)];
    const deliver = async ({ event, arrival }: typeof first) => recorderWithFault()(event, arrival, tenant);

    const outcomes = [await deliver(first), await deliver(first), await deliver(retry)];

    expect(outcomes).toEqual(['recorded', 'same_arrival', 'duplicate']);
  });

  it.each([
    [{ estimated_cost_usd: '70000' }, 'set_aside'],
    [{ energy_wh: '99000000' }, 'set_aside'],
    [{ carbon_gco2e: '99000000' }, 'set_aside'],
    [{ estimated_cost_usd: '1', energy_wh: '1', carbon_gco2e: '1' }, 'recorded'],
  ])('tells of a reported amount that the usage cannot explain: %j is %s', async (members, outcome) => {
    const { event, arrival } = duplicateEvent(0, members);

    expect(await recorderWithFault()(event, arrival, newTenant())).toBe(outcome);
  });

  it('writes one record per tenant for the same event', async () => {
    const [one, other] = [newTenant(), newTenant()];
    const { event, arrival } = duplicateEvent(0);
    const record = recorderWithFault();

    const outcomes = [await record(event, arrival, one), await record(event, arrival, other)];

    expect(outcomes).toEqual(['recorded', 'recorded']);
    expect([await recordsOf(one), await recordsOf(other)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('writes one record for 24 concurrent deliveries with different times', async () => {
    const tenant = newTenant();
    const deliveries = Array.from({ length: 24 }, (_, index) => duplicateEvent(index * DAY));

    const outcomes = await Promise.all(
      deliveries.map(({ event, arrival }) => recorderWithFault()(event, arrival, tenant)),
    );

    const claim = await claimOf(tenant, anEvent());
    expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
    expect(await recordsOf(tenant)).toMatchObject([
      { occurred_at: new Date(claim?.occurredAt ?? 0).toISOString() },
    ]);
  });
});

describe('a crash of eventRecorder', () => {
  const crashes = (['claim', 'openMonth', 'add', 'mark'] as const).flatMap((write) =>
    (['before', 'after'] as const).map((moment): Fault => ({ write, moment })),
  );

  it.each(crashes)(
    '$moment $write is recovered by the next delivery, under the existing claim',
    async (fault) => {
      const tenant = newTenant();
      const [first, retry] = [duplicateEvent(0), duplicateEvent(40 * DAY)];

      await expect(recorderWithFault(fault)(first.event, first.arrival, tenant)).rejects.toThrow(Crash);
      await recorderWithFault()(retry.event, retry.arrival, tenant);

      const claimed = fault.write === 'claim' && fault.moment === 'before' ? retry : first;
      expect(await recordsOf(tenant)).toMatchObject([
        {
          occurred_at: claimed.event.occurred_at,
          created_at: new Date(claimed.arrival.receivedAt).toISOString(),
        },
      ]);
      // The minute of the record is marked for recomputation, whichever attempt wrote the record.
      expect(markedMinutes).toContain(
        `${tenant.tenant_id} ${Date.parse(claimed.event.occurred_at ?? '') / MINUTE}`,
      );
    },
  );
});

describe('other content under the same event id', () => {
  const forged = (at: number) => duplicateEvent(at, { input_tokens: 9_999 });

  it('changes nothing, and every such delivery is counted', async () => {
    const tenant = newTenant();
    const first = duplicateEvent(0);
    const record = recorderWithFault();
    await record(first.event, first.arrival, tenant);

    const outcomes = [
      await record(forged(0).event, at(MARCH), tenant),
      await record(forged(DAY).event, at(MARCH + DAY), tenant),
      await record(first.event, first.arrival, tenant),
    ];

    expect(outcomes).toEqual(['duplicate_mismatch', 'duplicate_mismatch', 'same_arrival']);
    expect(await recordsOf(tenant)).toMatchObject([{ input_tokens: 1_000 }]);
    expect(await claimOf(tenant, first.event)).toMatchObject({ mismatches: 2 });
  });

  it('does not replace a claim whose record is missing after a crash', async () => {
    const tenant = newTenant();
    const first = duplicateEvent(0);
    const crashing = recorderWithFault({ write: 'claim', moment: 'after' });
    await expect(crashing(first.event, first.arrival, tenant)).rejects.toThrow(Crash);

    const between = await recorderWithFault()(forged(DAY).event, at(MARCH + DAY), tenant);
    const empty = await recordsOf(tenant);
    const redelivered = await recorderWithFault()(first.event, first.arrival, tenant);

    expect([between, empty, redelivered]).toEqual(['duplicate_mismatch', [], 'recorded']);
    expect(await recordsOf(tenant)).toMatchObject([{ input_tokens: 1_000 }]);
  });
});

it('writes exactly one record for any deliveries, crashes and races', async () => {
  const plans = fc.array(
    fc.array(
      fc.record({
        at: fc.integer({ min: -40 * DAY, max: 40 * DAY }),
        tokens: fc.constantFrom(1_000, 1_000, 9_999),
        fault: fc.option(
          fc.record({ write: fc.constantFrom(...writes), moment: fc.constantFrom('before', 'after') }),
          { nil: undefined },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    { minLength: 1, maxLength: 4 },
  );

  await fc.assert(
    fc.asyncProperty(plans, async (rounds) => {
      const tenant = newTenant();
      const deliveries: ReturnType<typeof duplicateEvent>[] = [];
      // Deliveries of a round run concurrently. Rounds run one after the other.
      for (const round of rounds) {
        await Promise.allSettled(
          round.map(({ at, tokens, fault }) => {
            const one = duplicateEvent(at, { input_tokens: tokens });
            deliveries.push(one);
            return recorderWithFault(fault)(one.event, one.arrival, tenant);
          }),
        );
      }
      // Every message is redelivered until it succeeds.
      for (const { event, arrival } of deliveries) await recorderWithFault()(event, arrival, tenant);

      const records = await recordsOf(tenant);
      const claim = await claimOf(tenant, anEvent());
      const winner = deliveries.find(
        ({ event, arrival }) =>
          claim?.occurredAt === occurredAtOf(event) &&
          claim.receivedAt === arrival.receivedAt &&
          claim.content === contentHash(event),
      );
      expect(records).toMatchObject([
        {
          occurred_at: winner?.event.occurred_at,
          created_at: new Date(winner?.arrival.receivedAt ?? 0).toISOString(),
          input_tokens: winner?.event.input_tokens,
        },
      ]);
    }),
    { numRuns: runs(12) },
  );
});

/** What two keys of a tenant state about one call. */
const STATED = {
  key_a: { attributed_identity: 'ann', estimated_cost_usd: '1', cost_source: 'provider' },
  key_b: { attributed_identity: 'bob', estimated_cost_usd: '2', cost_source: 'provider' },
} as const;

it('keeps what the key stated that reported first, for any crashes and races of two keys', async () => {
  const delivery = fc.record({
    by: fc.constantFrom('key_a', 'key_b'),
    fault: fc.option(
      fc.record({ write: fc.constantFrom(...writes), moment: fc.constantFrom('before', 'after') }),
      { nil: undefined },
    ),
  });
  const plans = fc.array(fc.array(delivery, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

  await fc.assert(
    fc.asyncProperty(plans, async (rounds) => {
      const tenant = newTenant();
      const deliver = (by: keyof typeof STATED, fault?: Fault) =>
        recorderWithFault(fault)(
          anEvent(STATED[by]),
          { ...at(MARCH), statedBy: { kind: 'api_key', id: by } },
          tenant,
        );
      for (const round of rounds) await Promise.allSettled(round.map(({ by, fault }) => deliver(by, fault)));
      const all = [...new Set(rounds.flat().map(({ by }) => by))];
      for (const by of all) await deliver(by);
      const [attribution, ...others] = await attributionsOf(tenant);
      for (const by of all) await deliver(by);

      expect(others).toEqual([]);
      const first = all.find((by) => by === attribution?.storedEvent.stated_by?.id) ?? 'key_a';
      expect(attribution?.record).toMatchObject({
        owner: STATED[first].attributed_identity,
        cost_usd: STATED[first].estimated_cost_usd,
      });
      // The other is shown beside it, and a repetition changes nothing.
      const shown = JSON.stringify(attribution?.explanation.observations ?? []);
      for (const by of all) if (by !== first) expect(shown).toContain(STATED[by].attributed_identity);
      expect(await attributionsOf(tenant)).toEqual([attribution]);
    }),
    { numRuns: runs(10) },
  );
});

describe('an event whose attribution throws', () => {
  const failing = {
    version: 'failing',
    rules: publishedRules,
    aliases: new Map(),
    prices: {
      find: () => {
        throw new Error('a price sheet that cannot be read');
      },
    },
  };

  it('throws AttributionFault, so that it goes to the dead-letter queue', async () => {
    const { event, arrival } = duplicateEvent(0);
    const record = recorderWithFault(undefined, async () => failing);

    await expect(record(event, arrival, newTenant())).rejects.toThrow(AttributionFault);
  });

  it('throws the original error when factors cannot be loaded, so that it is retried', async () => {
    const { event, arrival } = duplicateEvent(0);
    const record = recorderWithFault(undefined, () => Promise.reject(new Crash()));

    await expect(record(event, arrival, newTenant())).rejects.toThrow(Crash);
  });

  it('is recorded after a fix and a redrive', async () => {
    const tenant = newTenant();
    const { event, arrival } = duplicateEvent(0);
    const failed = recorderWithFault(undefined, async () => failing)(event, arrival, tenant);
    await expect(failed).rejects.toThrow(AttributionFault);

    const outcome = await recorderWithFault()(event, arrival, tenant);

    expect(outcome).toBe('recorded');
    expect(await recordsOf(tenant)).toHaveLength(1);
  });
});
