import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import type { Infer } from '../../../../functions/attribution/engine/inference.ts';
import { resolve } from '../../../../functions/attribution/engine/rules/resolution.ts';
import { noMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../../../functions/impact/impact.ts';
import { type SampleOptions, sampleTraffic } from '../../../../functions/tenants/sandbox/sample/traffic.ts';
import { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { aTenant, noFactors } from '../../../attribution/engine/events.ts';

/** A Monday, so that the seven days before it are one calendar week. */
const END = new Date('2026-06-15T00:00:00Z');
const DAY = 86_400_000;

const traffic = (given: Partial<SampleOptions> = {}): InvocationEvent[] => [
  ...sampleTraffic({ seed: 11, events: 4_000, end: END, days: 7, ...given }),
];
const week = traffic();

const shareOf = (matches: (event: InvocationEvent) => boolean, of = week): number =>
  of.filter(matches).length / of.length;
const hourOf = ({ occurred_at = '' }: InvocationEvent): number => new Date(occurred_at).getUTCHours();
const resolved = (event: InvocationEvent) =>
  resolve(event, { mappings: noMappings, trace: null, occurredAt: END.getTime() });
const hasEvidence = (event: InvocationEvent): boolean => resolved(event).basis !== 'none';

describe('sampleTraffic', () => {
  it('generates identical bytes for the same seed', () => {
    expect(JSON.stringify(traffic({ events: 300 }))).toBe(JSON.stringify(traffic({ events: 300 })));
  });

  it('shows for no call another owner or service than a rule named, whatever a model predicts', () => {
    const prediction = {
      model_version: 'mdl_1',
      basis: 'model_inferred' as const,
      owner: 'wrong',
      service: 'wrong',
      confidence: 1,
      novel: false,
      alternatives: [],
    };
    const metadata = { occurredAt: END.getTime(), receivedAt: END.getTime(), residency: null };
    for (const advisory of [true, false]) {
      const infer: Infer = () => ({ degradation: 'none', prediction: { ...prediction, advisory } });
      for (const event of week) {
        const named = resolved(event);
        const { record } = attribute(event, metadata, aTenant(), noFactors, { infer });

        if (named.owner !== null) expect(record.owner).toBe(named.owner);
        if (named.service !== null) expect(record.service).toBe(named.service);
        if (named.owner === null && advisory) expect(record.owner).toBeNull();
      }
    }
  });

  it('generates other events for another seed', () => {
    const ids = new Set(week.map(({ event_id }) => event_id));

    expect(traffic({ seed: 12, events: 500 }).filter(({ event_id }) => ids.has(event_id))).toEqual([]);
  });

  it('changes only timestamps when the window changes, so that a second load adds nothing', () => {
    const contents = (events: InvocationEvent[]) =>
      events
        .map(({ occurred_at: _occurredAt, ingestion_timestamp: _capturedAt, ...content }) =>
          JSON.stringify(content),
        )
        .sort();

    const later = traffic({ events: 500, end: new Date(END.getTime() + 1.7 * DAY), days: 3 });

    expect(contents(later)).toEqual(contents(traffic({ events: 500 })));
  });

  it('generates valid events with unique ids, in time order and within the window', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer(),
          events: fc.integer({ min: 0, max: 40 }),
          days: fc.double({ min: 0.01, max: 40, noNaN: true }),
        }),
        (options) => {
          const events = traffic(options);

          expect(events).toHaveLength(options.events);
          expect(events.map((event) => InvocationEvent.parse(event))).toEqual(events);
          const times = events.map(({ occurred_at = '' }) => Date.parse(occurred_at));
          expect(times.toSorted((one, other) => one - other)).toEqual(times);
          expect(times.every((time) => time < END.getTime())).toBe(true);
          expect(times.every((time) => time >= END.getTime() - options.days * DAY - 1)).toBe(true);
          expect(events.every((event) => Date.parse(event.ingestion_timestamp) <= END.getTime())).toBe(true);
          expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('leaves about seven percent of the calls without evidence of their origin', () => {
    const share = shareOf((event) => !hasEvidence(event) && event.api_key_name === undefined);

    expect(share).toBeGreaterThan(0.055);
    expect(share).toBeLessThan(0.085);
  });

  it('identifies some calls by their workload, and some have no evidence but their credential', () => {
    expect(shareOf(({ spiffe_id }) => spiffe_id !== undefined)).toBeGreaterThan(0.05);
    expect(shareOf(({ k8s_workload }) => k8s_workload !== undefined)).toBeGreaterThan(0.1);
    expect(
      shareOf((event) => event.api_key_name !== undefined && resolved(event).basis === 'none'),
    ).toBeGreaterThan(0.03);
  });

  it('covers many services, owners and providers, and all capture layers', () => {
    const distinctCount = (read: (event: InvocationEvent) => string | null | undefined) =>
      new Set(week.map(read).filter((value) => value !== null && value !== undefined)).size;

    expect(distinctCount((event) => resolved(event).service)).toBe(8);
    expect(distinctCount(({ end_user }) => end_user?.split('@')[1])).toBe(6);
    expect(distinctCount(({ end_user }) => end_user)).toBeGreaterThan(60);
    expect(distinctCount(({ provider }) => provider)).toBe(6);
    expect(distinctCount(({ requested_model }) => requested_model)).toBe(10);
    expect(distinctCount(({ ingestion_layer }) => ingestion_layer)).toBe(3);
    expect(distinctCount(({ region }) => region)).toBe(6);
  });

  it('runs the batch pipeline at night and few agent workflows at weekends', () => {
    const batch = week.filter((event) => event.batch === true);
    const office = week.filter((event) => event.pathway_category === 'agent_workflow');
    const isWeekend = ({ occurred_at = '' }: InvocationEvent) =>
      [0, 6].includes(new Date(occurred_at).getUTCDay());

    expect(batch.length).toBeGreaterThan(100);
    expect(shareOf((event) => hourOf(event) >= 1 && hourOf(event) < 5, batch)).toBe(1);
    expect(shareOf(isWeekend, office)).toBeLessThan(0.1);
  });

  it('generates long-tailed token counts, with longer outputs for longer inputs', () => {
    const support = week.filter(
      ({ attributed_service, status }) => attributed_service === 'support-copilot' && status === 'ok',
    );
    const inputs = support.map(({ input_tokens = 0 }) => input_tokens).sort((one, other) => one - other);
    const median = inputs[Math.floor(inputs.length / 2)] ?? 0;
    const mean = inputs.reduce((sum, tokens) => sum + tokens, 0) / inputs.length;
    const outputOf = (events: InvocationEvent[]): number =>
      events.reduce((sum, { output_tokens = 0 }) => sum + output_tokens, 0) / events.length;

    expect(mean).toBeGreaterThan(median * 1.1);
    expect(outputOf(support.filter(({ input_tokens = 0 }) => input_tokens > median))).toBeGreaterThan(
      1.2 * outputOf(support.filter(({ input_tokens = 0 }) => input_tokens <= median)),
    );
  });

  it('generates higher latency for longer outputs', () => {
    const latencyOf = (from: number, to: number): number => {
      const answers = week.filter(({ output_tokens = 0 }) => output_tokens >= from && output_tokens < to);
      return answers.reduce((sum, { latency_ms = 0 }) => sum + latency_ms, 0) / answers.length;
    };

    expect(latencyOf(1_000, 20_000)).toBeGreaterThan(4 * latencyOf(1, 200));
  });

  it('includes failed calls without tokens, incomplete answers, cached input and reasoning tokens', () => {
    const failed = week.filter(({ status }) => status === 'error');

    expect(failed.length).toBeGreaterThan(20);
    expect(failed.every(({ input_tokens, output_tokens }) => input_tokens === 0 && output_tokens === 0)).toBe(
      true,
    );
    expect(shareOf(({ status }) => status === 'incomplete')).toBeGreaterThan(0);
    expect(shareOf(({ cached_input_tokens = 0 }) => cached_input_tokens > 0)).toBeGreaterThan(0.1);
    expect(shareOf(({ reasoning_tokens = 0 }) => reasoning_tokens > 0)).toBeGreaterThan(0.1);
  });

  it('keeps the calls of an agent run in one trace, within four minutes', () => {
    const runs = Map.groupBy(
      week.filter((event) => event.pathway_category === 'agent_workflow'),
      ({ trace_id }) => trace_id,
    );
    const lengths = [...runs.values()].map((calls) => {
      const times = calls.map(({ occurred_at = '' }) => Date.parse(occurred_at));
      return Math.max(...times) - Math.min(...times);
    });

    expect([...runs.values()].some((calls) => calls.length > 2)).toBe(true);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * 60_000);
  });
});

describe('assessImpact of sample traffic', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  const modelsWithout = (quantity: 'cost' | 'energy') =>
    new Set(
      week
        .filter((event) => assessImpact(event, new Date(event.occurred_at ?? ''), factors)[quantity] === null)
        .map(({ requested_model }) => requested_model),
    );

  it('returns cost and energy for every model except the in-house model', () => {
    expect(modelsWithout('cost')).toEqual(new Set(['risk-lm-2']));
    expect(modelsWithout('energy')).toEqual(new Set(['risk-lm-2']));
  });

  it('matches the cost stated by a gateway', () => {
    const stated = week.filter(({ estimated_cost_usd }) => estimated_cost_usd !== undefined);
    const { estimated_cost_usd: statedCost, ...call } = stated[0] ?? traffic()[0] ?? week[0] ?? {};

    const assessed = assessImpact(InvocationEvent.parse(call), END, factors);

    expect(stated.length).toBeGreaterThan(100);
    expect(assessed.cost?.central).toBe(statedCost);
  });
});
