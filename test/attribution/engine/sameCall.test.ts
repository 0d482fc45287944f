import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { callGroups } from '../../../functions/attribution/engine/sameCall/sameCall.ts';
import type { Provenance } from '../../../functions/ledger/records/provenance.ts';
import type { ObservedUse } from '../../../functions/ledger/records/sameCall/observedUse.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { aKey } from './events.ts';
import {
  byAgent,
  byFramework,
  byGateway,
  byItsSdk,
  byProvider,
  bySdk,
  countedOf,
  permutations,
  recordAll,
  statesOf,
} from './observers.ts';
import { joins, startTraceRecorder } from './trace/traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

describe('a call that observers know under different ids', () => {
  it.each([
    [
      'two instrumentations of one service, one within the time of the other',
      () => [byFramework(0), byItsSdk(20)],
    ],
    ['an agent and a gateway', () => [byAgent(0), byGateway(50)]],
    ['an agent and the log of the provider', () => [byAgent(0), byProvider(400)]],
    ['an agent, a gateway and the provider', () => [byAgent(0), byGateway(50), byProvider(400)]],
    ['an SDK and a gateway with a clock of its own', () => [bySdk(0), byGateway(1_500)]],
    [
      'two instrumentations of one trace',
      () => [byAgent(0, { trace_id: 'one trace' }), bySdk(20, { trace_id: 'one trace' })],
    ],
    [
      'a span above that of a server, whose model nobody sells',
      () => {
        const own = { trace_id: 'one trace', requested_model: 'a model of ours' };
        return [
          byAgent(0, { ...own, span_id: 'upper' }),
          bySdk(20, { ...own, span_id: 'lower', parent_span_id: 'upper', provider: 'unknown' }),
        ];
      },
    ],
    [
      'a model under the name of a gateway, and with its date',
      () => [
        byAgent(0, { requested_model: 'openai/gpt-4o' }),
        byGateway(50, { requested_model: 'fast', served_model: 'gpt-4o-2024-08-06' }),
      ],
    ],
  ] as const)('counts once, in any order: %s', async (_, seen) => {
    for (const order of permutations(seen())) {
      const tenant = newTenant();
      await recordAll(tenant, order);
      const [counted, ...others] = await countedOf(tenant);
      expect(others).toEqual([]);
      const { same_call } = counted?.record.interpretation ?? {};
      expect(same_call).toMatchObject({ state: 'counted', records: { length: order.length - 1 } });
      expect(same_call?.confidence).toBeLessThan(0.95);
      expect((await statesOf(tenant)).filter((state) => state === 'repeat')).toHaveLength(order.length - 1);
    }
  });

  it('has the cost of the nearest to the provider, the owner that another one names, and a count of the join', async () => {
    const tenant = newTenant();
    await recordAll(tenant, [
      byAgent(0, { estimated_cost_usd: '9', cost_source: 'provider' }),
      byGateway(50, { estimated_cost_usd: '2', cost_source: 'provider' }),
    ]);

    const [counted] = await countedOf(tenant);
    expect(counted?.record).toMatchObject({ ingestion_layer: 'gateway', cost_usd: '2', owner: 'ann' });
    expect(joins.get(tenant.tenant_id)).toEqual(['joined_calls']);
  });

  it('has the cost of whoever knows the provider, which a range around it leaves as certain as it was', async () => {
    const costOf = async (seen: readonly InvocationEvent[]) => {
      const tenant = newTenant();
      await recordAll(tenant, seen);
      const [{ low, central, high } = { low: '', central: '', high: '' }] = (await countedOf(tenant)).flatMap(
        ({ explanation }) => explanation.cost ?? [],
      );
      return { low, central, high };
    };
    const unsure = byFramework(0, { provider: 'unknown' });
    const sure = await costOf([byItsSdk(20)]);

    expect(Number((await costOf([unsure])).high)).toBeGreaterThan(Number(sure.high));
    for (const order of permutations([unsure, byItsSdk(20)])) expect(await costOf(order)).toEqual(sure);
  });

  it('never costs less because another credential says so, and shows both costs', async () => {
    const tenant = newTenant();
    await recordAll(tenant, [byAgent(0, { estimated_cost_usd: '9', cost_source: 'provider' })]);
    await recordAll(tenant, [byGateway(50, { estimated_cost_usd: '2', cost_source: 'provider' })], {
      statedBy: { kind: 'api_key', id: 'key_other' },
    });

    const [counted] = await countedOf(tenant);
    expect(counted?.record).toMatchObject({ ingestion_layer: 'otlp', cost_usd: '9' });
    expect(counted?.explanation.cost).toMatchObject({ low: '2', high: '9' });
  });

  it('counts once if both reports are recorded at the same time by two processes', async () => {
    const tenants = Array.from({ length: 8 }, () => newTenant());
    for (const tenant of tenants) {
      await Promise.all([byAgent(0), byGateway(50)].map((event) => startTraceRecorder()(event, tenant)));
      expect(await countedOf(tenant)).toHaveLength(1);
    }
  });
});

describe('calls that look alike', () => {
  it.each([
    ['two calls of one observer', () => [byAgent(0), byAgent(100)], 2],
    [
      'equal prompts in parallel, which the gateway sees too',
      () => [byAgent(0), byAgent(10), byGateway(50), byGateway(60)],
      4,
    ],
    ['a retry that the gateway pays twice', () => [byAgent(0), byGateway(10), byGateway(60)], 3],
    ['a fan-out of which the gateway sees one call', () => [byAgent(0), byAgent(5), byGateway(10)], 3],
    ['two instrumentations of nobody knows which service', () => [byAgent(0), bySdk(20)], 2],
    [
      'two services with different instrumentations',
      () => [byFramework(0), byItsSdk(20, { attributed_service: 'search' })],
      2,
    ],
    [
      'two instrumentations of one service, one after the other began',
      () => [byFramework(0), byItsSdk(60)],
      2,
    ],
    [
      'two instrumentations of one service, of which one tells no duration',
      () => [byFramework(0), byItsSdk(20, { latency_ms: undefined })],
      2,
    ],
    [
      'two of each of them at the same time',
      () => [0, 5].flatMap((at) => [byFramework(at), byItsSdk(at + 20)]),
      4,
    ],
    ['other counts', () => [byAgent(0), byGateway(50, { output_tokens: 201 })], 2],
    ['another model', () => [byAgent(0), byGateway(50, { requested_model: 'gpt-4o-mini' })], 2],
    ['another time', () => [byAgent(0), byGateway(5_000)], 2],
    ['another key', () => [byAgent(0, { api_key_name: 'one' }), byGateway(50, { api_key_name: 'two' })], 2],
    [
      'another person',
      () => [
        byAgent(0, { attributed_identity: 'ann@x.org' }),
        byGateway(50, { attributed_identity: 'bo@x.org' }),
      ],
      2,
    ],
    ['ids of one form', () => [byAgent(0, { id_basis: 'response.msg' }), byGateway(50)], 2],
    ['events with ids of their own', () => [byAgent(0, { id_basis: undefined }), byGateway(50)], 2],
  ] as const)('each count: %s', async (_, seen, expected) => {
    for (const order of permutations(seen()).slice(0, 3)) {
      const tenant = newTenant();
      await recordAll(tenant, order);
      expect(await countedOf(tenant)).toHaveLength(expected);
    }
  });

  it('count again, and say so, when a second candidate turns up', async () => {
    const tenant = newTenant();
    await recordAll(tenant, [byAgent(0), byGateway(50)]);
    expect(await countedOf(tenant)).toHaveLength(1);

    await recordAll(tenant, [byAgent(40)]);

    expect(await statesOf(tenant)).toEqual(['ambiguous', 'ambiguous', 'ambiguous']);
    expect(await countedOf(tenant)).toHaveLength(3);
    expect(joins.get(tenant.tenant_id)).toContain('ambiguous_calls');
  });
});

it('is never fewer calls than there were, whatever is observed, repeated or interleaved', async () => {
  const plan = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1, maxLength: 4 }).chain((starts) =>
    fc.record({
      starts: fc.constant(starts),
      order: fc.shuffledSubarray(
        starts.flatMap((_, index) => [index * 2, index * 2 + 1]),
        { minLength: starts.length * 2 },
      ),
      repeats: fc.array(fc.nat({ max: starts.length * 2 - 1 }), { maxLength: 3 }),
      isConcurrent: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(plan, async ({ starts, order, repeats, isConcurrent }) => {
      const tenant = newTenant();
      const seen = starts.flatMap((start) => [byAgent(start * 100), byGateway(start * 100 + 20)]);
      const sent = [...order, ...repeats].flatMap((index) => seen[index] ?? []);
      if (isConcurrent) await Promise.all(sent.map((event) => startTraceRecorder()(event, tenant)));
      else await recordAll(tenant, sent);

      const counted = await countedOf(tenant);
      const isAmbiguous = (await statesOf(tenant)).includes('ambiguous');
      expect(counted.length).toBeGreaterThanOrEqual(starts.length);
      if (!isAmbiguous) expect(counted).toHaveLength(starts.length);
    }),
    { numRuns: runs(6) },
  );
});

it('is never fewer groups than the calls of the observer that saw most of them', () => {
  const use = fc.record({
    kind: fc.constantFrom('framework', 'agent', 'gateway', 'provider'),
    from: fc.nat({ max: 6_000 }),
    latency: fc.constantFrom(0, 300, 3_000),
    trace: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined }),
    service: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 9 }), (seen) => {
      const nearness = { framework: 0, agent: 0, gateway: 2, provider: 3 };
      const uses = seen.map(
        ({ kind, from, latency, trace, service }, index): ObservedUse => ({
          record: String(index).padStart(26, '0'),
          kind,
          nearness: nearness[kind],
          from,
          to: from + latency,
          models: ['m'],
          ...(trace !== undefined && { trace }),
          ...(service !== undefined && { service }),
        }),
      );
      const joined = callGroups(uses).filter(({ isAmbiguous }) => !isAmbiguous);
      const kindOf = new Map(uses.map(({ record, kind }) => [record, kind]));
      for (const { records } of joined) {
        expect(new Set(records.map((record) => kindOf.get(record))).size).toBe(records.length);
      }
      expect(new Set(joined.flatMap(({ records }) => records)).size).toBe(
        joined.reduce((sum, { records }) => sum + records.length, 0),
      );
      expect(callGroups(uses.toReversed())).toEqual(callGroups(uses));
    }),
  );
});

describe('further ids of a call', () => {
  const ID = 'req_011CQ7Vn2bqK9xWm4tYpZs8d';
  const idOf = (id: string) => ({ call_ids: [id] });

  it.each([
    ['both mention one', () => [byAgent(0, idOf(ID)), byGateway(50, { ...idOf(ID), output_tokens: 7 })]],
    [
      'a third observer knows the ids of both',
      () => [
        byAgent(0, { ...idOf(ID), id_basis: 'response.resp' }),
        byGateway(60_000, { ...idOf('chatcmpl-0123456789abcdef'), output_tokens: 7 }),
        bySdk(30_000, { call_ids: [ID, 'chatcmpl-0123456789abcdef'], output_tokens: 9 }),
      ],
    ],
  ] as const)('lead to one call in any order: %s', async (_, seen) => {
    for (const order of permutations(seen())) {
      const tenant = newTenant();
      await recordAll(tenant, [...order, ...order]);
      expect(await countedOf(tenant)).toHaveLength(1);
    }
  });

  it('say nothing of two calls of one observer, which passes on the id of a request', async () => {
    const tenant = newTenant();
    await recordAll(tenant, [byAgent(0, idOf(ID)), byAgent(5_000, idOf(ID))]);
    expect(await countedOf(tenant)).toHaveLength(2);
  });
});

describe('two calls whose ids another credential names as those of one', () => {
  const [one, two] = ['chatcmpl-0123456789abcdef', 'req_011CQ7Vn2bqK9xWm4tYpZs8d'];
  const cheap = { estimated_cost_usd: '5', cost_source: 'provider', call_ids: [one] };
  const dear = { estimated_cost_usd: '7', cost_source: 'provider', call_ids: [two] };

  it.each([
    ['of one observer', () => [byAgent(0, cheap), byAgent(90, dear)], 'key_a'],
    [
      'of two payers',
      () => [byAgent(0, cheap), byGateway(50, { ...dear, attributed_identity: 'bo' })],
      'key_b',
    ],
    [
      'of other counts',
      () => [byAgent(0, cheap), byGateway(50, { ...dear, input_tokens: 7, output_tokens: 9 })],
      'key_b',
    ],
    ['an hour apart', () => [byAgent(0, cheap), byGateway(3_600_000, dear)], 'key_b'],
  ] as const)('keep their costs: %s', async (_, calls, other) => {
    const tenant = newTenant();
    const thief = bySdk(20, { call_ids: [one, two] });
    const ids = ['key_a', other, 'key_thief', 'key_thief'];
    for (const [index, event] of [...calls(), thief, thief].entries()) {
      await recordAll(tenant, [event], { statedBy: { kind: 'api_key', id: ids[index] ?? '' } });
    }

    const costs = (await countedOf(tenant)).map(({ record }) => record.cost_usd);
    expect(costs.toSorted()).toEqual(['5', '7']);
  });
});

describe('a connector or another lane', () => {
  const connector: Provenance = {
    kind: 'oauth_client',
    id: 'cli_partner',
    connector: 'partner',
    registered: { source_systems: ['litellm'], fills_other_sources: true },
  };
  const ids = { call_ids: ['req_011CQ7Vn2bqK9xWm4tYpZs8d'] };

  it.each([
    ['a connector', { statedBy: connector }, {}],
    ['a connector that names the ids of the call', { statedBy: connector }, ids],
    ['another lane', { residency: 'eu', statedBy: aKey }, {}],
    ['another lane that names the ids of the call', { residency: 'eu', statedBy: aKey }, ids],
  ] as const)('joins no record of the tenant: %s', async (_, arrival, members) => {
    for (const isFirst of [true, false]) {
      const tenant = { ...newTenant(), residency: ['us', 'eu'] };
      const own = () => recordAll(tenant, [byAgent(0, members)], { residency: 'us' });
      const foreign = () => recordAll(tenant, [byGateway(50, members)], arrival);
      await (isFirst ? foreign() : own());
      await (isFirst ? own() : foreign());

      const records = await countedOf(tenant);
      const agents = records.filter(({ record }) => record.ingestion_layer === 'otlp');
      expect(agents).toHaveLength(1);
      expect(agents[0]?.record.interpretation.same_call).toBeUndefined();
    }
  });
});
