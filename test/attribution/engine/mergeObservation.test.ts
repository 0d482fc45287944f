import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { newTenant } from '../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../support/tables.ts';
import { aKey } from './events.ts';
import { aSpanEvent, crashAt, shownEvidence, startTraceRecorder, versionsOf } from './trace/traceFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const application = (members: Record<string, unknown> = {}) =>
  aSpanEvent(0, {
    ingestion_layer: 'application',
    trace_id: undefined,
    span_id: undefined,
    input_tokens: undefined,
    output_tokens: undefined,
    attributed_service: 'checkout',
    tags: ['app'],
    ...members,
  });
const gateway = (members: Record<string, unknown> = {}) =>
  aSpanEvent(0, {
    ingestion_layer: 'gateway',
    source_system: 'litellm',
    trace_id: undefined,
    span_id: undefined,
    estimated_cost_usd: '0.25',
    api_key_name: 'team-key',
    tags: ['gw'],
    ...members,
  });

/** The newest version of each record, with the whole chain. */
const recordsOf = async (tenant: ReturnType<typeof newTenant>) =>
  [...(await versionsOf(tenant)).values()].map((versions) => ({
    versions: versions.length,
    newest: versions.at(-1)?.attribution,
  }));

describe('a call that an application and a gateway observed', () => {
  it.each([
    ['application first', [application(), gateway()]],
    ['gateway first', [gateway(), application()]],
  ])('makes one record with the richest evidence of both: %s', async (_, events) => {
    const tenant = newTenant();
    const outcomes: string[] = [];
    for (const event of events) outcomes.push(await startTraceRecorder()(event, tenant));

    const [only, ...others] = await recordsOf(tenant);

    expect(outcomes).toEqual(['recorded', 'merged']);
    expect([only?.versions, others]).toEqual([2, []]);
    expect(only?.newest?.record).toMatchObject({
      service: 'checkout',
      input_tokens: 1_000,
      cost_usd: '0.25',
      pathway_category: 'gateway_mediated',
      tags: ['app', 'gw'],
    });
    expect(only?.newest?.explanation.observations).toEqual([
      {
        ingestion_layer: 'application',
        source_system: null,
        stated_by: aKey,
        supplied: ['attributed_service'],
      },
      {
        ingestion_layer: 'gateway',
        source_system: 'litellm',
        stated_by: aKey,
        supplied: expect.arrayContaining(['usage', 'cost', 'call', 'api_key_name']),
      },
    ]);
  });

  it('gets no second version when one of them is sent again', async () => {
    const tenant = newTenant();
    const outcomes: string[] = [];
    for (const event of [application(), gateway(), application(), gateway()]) {
      outcomes.push(await startTraceRecorder()(event, tenant));
    }

    expect(outcomes.slice(2)).toEqual(['same_arrival', 'same_arrival']);
    expect(await recordsOf(tenant)).toMatchObject([{ versions: 2 }]);
  });

  it('keeps the first content of each of them', async () => {
    const tenant = newTenant();
    const forged = gateway({ estimated_cost_usd: '9' });
    for (const event of [application(), gateway()]) await startTraceRecorder()(event, tenant);

    expect(await startTraceRecorder()(forged, tenant)).toBe('duplicate_mismatch');
    expect(await recordsOf(tenant)).toMatchObject([{ newest: { record: { cost_usd: '0.25' } } }]);
  });

  it.each([
    ['the counts of the provider, although a library adds counts of 0', 1_100, { cached_input_tokens: 0 }],
    ['the counts of the library, if only it counts cached tokens', 900, { cached_input_tokens: 200 }],
  ])('has %s', async (_, expected, details) => {
    const tenant = newTenant();
    const library = application({
      input_tokens: 900,
      output_tokens: 100,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      ...details,
    });
    const provider = aSpanEvent(0, {
      ingestion_layer: 'provider_log',
      source_system: 'bedrock',
      trace_id: undefined,
      span_id: undefined,
      input_tokens: 1_100,
      output_tokens: 120,
    });
    for (const event of [provider, library]) await startTraceRecorder()(event, tenant);

    expect(await recordsOf(tenant)).toMatchObject([{ newest: { record: { input_tokens: expected } } }]);
  });

  it.each([
    [
      'an amount, although the gateway reports 0',
      { estimated_cost_usd: '0.01' },
      { estimated_cost_usd: '0' },
      '0.01',
    ],
    [
      'a statement of the provider, although the gateway has an estimate',
      { estimated_cost_usd: '0.01', cost_source: 'provider' },
      { estimated_cost_usd: '0.02', cost_source: 'estimate' },
      '0.01',
    ],
  ])('has %s, in both orders', async (_, own, other, expected) => {
    const unpriced = { requested_model: 'a-router/model-x' };
    const events = [application({ ...unpriced, ...own }), gateway({ ...unpriced, ...other })];
    for (const ordered of [events, events.toReversed()]) {
      const tenant = newTenant();
      for (const event of ordered) await startTraceRecorder()(event, tenant);

      expect(await recordsOf(tenant)).toMatchObject([{ newest: { record: { cost_usd: expected } } }]);
    }
  });

  it('has at most eight observers', async () => {
    const tenant = newTenant();
    const outcomes: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const event = gateway({ source_system: `system-${index}` });
      outcomes.push(await startTraceRecorder()(event, tenant));
    }

    expect(outcomes.slice(7)).toEqual(['merged', 'duplicate_mismatch', 'duplicate_mismatch']);
  });
});

/** Observations of one call, and a second span of the same trace that has no evidence of its own. */
const anyObservations = fc
  .uniqueArray(
    fc.record({
      layer: fc.constantFrom('application', 'otlp', 'gateway', 'provider_log'),
      system: fc.constantFrom('a', 'b'),
      input: fc.option(fc.constantFrom(1_000, 2_000), { nil: undefined }),
      cost: fc.option(fc.constantFrom('0.25', '0.5'), { nil: undefined }),
      owner: fc.option(fc.constantFrom('team-a', 'team-b'), { nil: undefined }),
      confidence: fc.option(fc.constantFrom(0.5, 0.9), { nil: undefined }),
      tags: fc.subarray(['x', 'y', 'z']),
      span: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 4, selector: ({ layer, system }) => `${layer} ${system}` },
  )
  .map((observations) =>
    observations.map(({ layer, system, input, cost, owner, confidence, tags, span }) =>
      aSpanEvent(0, {
        ingestion_layer: layer,
        source_system: system,
        trace_id: 'a trace',
        span_id: span,
        input_tokens: input,
        output_tokens: input,
        estimated_cost_usd: cost,
        attributed_identity: owner,
        attribution_confidence: confidence,
        tags,
      }),
    ),
  );
const neighbour = aSpanEvent(1, { parent_span_id: 's1' });

/** What must not depend on the order of arrival. */
const stateOf = async (tenant: ReturnType<typeof newTenant>) =>
  (await recordsOf(tenant)).map(({ newest }) => {
    const {
      tenant_id: _t,
      id: _i,
      invocation_id: _n,
      as_of: _a,
      version: _v,
      ...record
    } = newest?.record ?? {
      tenant_id: '',
      id: '',
      invocation_id: '',
      as_of: '',
      version: 0,
    };
    const stored = { ...newest?.storedEvent, trace: shownEvidence(newest?.storedEvent.trace) };
    return { record, explanation: newest?.explanation, stored };
  });

const inOrder = async (events: readonly InvocationEvent[]) => {
  const tenant = newTenant();
  for (const event of events) await startTraceRecorder()(event, tenant);
  return stateOf(tenant);
};

it('gives the same records for any order, races, duplicates and crashes', async () => {
  const plans = anyObservations.chain((observations) => {
    const events = [...observations, neighbour];
    const delivery = fc.record({
      event: fc.constantFrom(...events),
      crash: fc.option(
        fc.record({ at: fc.integer({ min: 1, max: 9 }), moment: fc.constantFrom('before', 'after') }),
        { freq: 3 },
      ),
    });
    return fc.tuple(
      fc.constant(events),
      fc.array(fc.array(delivery, { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
      fc.shuffledSubarray(events, { minLength: events.length }),
    );
  });
  await fc.assert(
    fc.asyncProperty(plans, async ([events, rounds, last]) => {
      const tenant = newTenant();
      for (const round of rounds) {
        await Promise.allSettled(
          round.map(({ event, crash }) => {
            const around = crash === null ? undefined : crashAt(crash.at, crash.moment).around;
            return startTraceRecorder(around)(event, tenant);
          }),
        );
      }
      // Every message is redelivered until it succeeds.
      await Promise.all(last.map((event) => startTraceRecorder()(event, tenant)));

      expect(await stateOf(tenant)).toEqual(await inOrder(events));
    }),
    { numRuns: 10 },
  );
});

describe('a second report of the same observer', () => {
  const empty = (members: Record<string, unknown> = {}) =>
    gateway({ input_tokens: 0, output_tokens: 0, estimated_cost_usd: undefined, ...members });
  const outcomesOf = async (tenant: ReturnType<typeof newTenant>, events: readonly InvocationEvent[]) => {
    const outcomes: string[] = [];
    for (const event of events) outcomes.push(await startTraceRecorder()(event, tenant));
    return outcomes;
  };

  it('adds the usage that its first one did not have, once', async () => {
    const tenant = newTenant();

    const outcomes = await outcomesOf(tenant, [
      empty(),
      gateway({ retrieval: true }),
      gateway({ retrieval: true }),
    ]);

    expect(outcomes.slice(0, 2)).toEqual(['recorded', 'merged']);
    expect(await recordsOf(tenant)).toMatchObject([
      { versions: 2, newest: { record: { input_tokens: 1_000, cost_usd: '0.25' } } },
    ]);
  });

  it('adds nothing to usage that is known', async () => {
    const tenant = newTenant();

    expect(await outcomesOf(tenant, [gateway(), empty(), gateway({ input_tokens: 9 })])).toEqual([
      'recorded',
      'duplicate_mismatch',
      'duplicate_mismatch',
    ]);
    expect(await recordsOf(tenant)).toMatchObject([
      { versions: 1, newest: { record: { input_tokens: 1_000 } } },
    ]);
  });

  it('of a response that was only read makes no record', async () => {
    const tenant = newTenant();

    expect(await outcomesOf(tenant, [gateway({ retrieval: true })])).toEqual(['no_call']);
    expect(await recordsOf(tenant)).toEqual([]);
  });
});
