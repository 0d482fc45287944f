import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { loadFactors } from '../../../functions/impact/factors.ts';
import type { TraceEvidence } from '../../../functions/ledger/records/trace/traceSpan.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { eventIdOf } from '../../ledger/records/ledgerFixture.ts';
import { anEvent, aTenant } from './events.ts';
import { wholeTrace } from './trace/wholeTrace.ts';

const occurredAt = Date.parse('2026-07-15T12:00:00Z');
const arrived = { occurredAt, receivedAt: occurredAt, residency: null };

const factors = await loadFactors();

const impactOf = (event: InvocationEvent, trace: TraceEvidence | null = null) =>
  attribute(event, arrived, aTenant(), factors, { trace });

/** The attribution of each event when the whole trace is known. */
const attributeTrace = (events: readonly InvocationEvent[]) => {
  const evidenceByEvent = wholeTrace(
    events.map((event) => ({ event, record: event.event_id })),
    () => null,
  );
  return events.map((event) => impactOf(event, evidenceByEvent.get(event.event_id) ?? null));
};

/** Traces in which every span reports its own usage plus the usage of all spans below it. */
const anyReportingTrace = fc
  .array(
    fc.record({
      operation: fc.constantFrom('chat', 'chat', undefined, 'invoke_agent', 'execute_tool', 'chain'),
      tokens: fc.integer({ min: 1, max: 100_000 }),
      parentIndex: fc.nat(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((spans) => {
    const parents = spans.map(({ parentIndex }, index) => (index === 0 ? null : parentIndex % index));
    const used = spans.map(({ tokens }) => tokens);
    // Children come after their parents. So in reverse order, each sum is complete before it is added to its parent.
    for (const [index, parent] of [...parents.entries()].reverse()) {
      if (parent !== null) used[parent] = (used[parent] ?? 0) + (used[index] ?? 0);
    }
    return spans.map(({ operation }, index) =>
      anEvent({
        event_id: eventIdOf(index),
        trace_id: 'a trace',
        span_id: `span-${index}`,
        parent_span_id: parents[index] === null ? undefined : `span-${parents[index]}`,
        operation,
        input_tokens: used[index],
      }),
    );
  });

const structural = new Set(['invoke_agent', 'execute_tool', 'chain']);

/** The model calls without a model call below them. */
const leavesOf = (events: readonly InvocationEvent[]): InvocationEvent[] => {
  const calls = events.filter(({ operation }) => !structural.has(operation ?? 'chat'));
  const isBelow = (event: InvocationEvent, span: InvocationEvent): boolean => {
    const parent = events.find(({ span_id }) => span_id === event.parent_span_id);
    return parent !== undefined && (parent === span || isBelow(parent, span));
  };
  return calls.filter((call) => !calls.some((other) => isBelow(other, call)));
};

const sumOf = (attributions: readonly ReturnType<typeof impactOf>[]) => {
  const records = attributions.map(({ record }) => record);
  const sum = (quantity: 'cost_usd' | 'energy_wh' | 'carbon_gco2e') =>
    formatFixedPoint(
      records.reduce((total, record) => total + parseFixedPoint(record[quantity] ?? 'unknown'), 0n),
    );
  return { cost: sum('cost_usd'), energy: sum('energy_wh'), carbon: sum('carbon_gco2e') };
};

it('bills a trace in which all spans report usage exactly for its innermost calls', () => {
  fc.assert(
    fc.property(anyReportingTrace, (events) => {
      const billed = sumOf(attributeTrace(events));

      expect(billed).toEqual(sumOf(leavesOf(events).map((leaf) => impactOf(leaf))));
    }),
  );
});

describe('a structural span', () => {
  it.each([
    ['an agent', { operation: 'invoke_agent' }, null],
    ['a chain', { operation: 'chain' }, null],
    ['a tool', { operation: 'execute_tool', estimated_cost_usd: '3' }, null],
    [
      'a call that repeats usage',
      { estimated_cost_usd: '3', energy_wh: '5' },
      { source: null, repeatsUsage: true },
    ],
  ])('has a cost of 0: %s', (_, members, trace) => {
    const { record, explanation } = impactOf(anEvent(members), trace);

    expect(record).toMatchObject({ cost_usd: '0', energy_wh: '0', carbon_gco2e: '0', input_tokens: 1_000 });
    expect(record.interpretation).not.toHaveProperty('unknown');
    expect(explanation).toMatchObject({
      cost: { source: 'structure', central: '0' },
      energy: { method: 'structure' },
      carbon: { method: 'structure' },
    });
  });
});

it.each([
  ['without a trace', null],
  ['that is alone in its trace', { source: null, repeatsUsage: false }],
])('bills a call %s', (_, trace) => {
  expect(impactOf(anEvent(), trace).record.cost_usd).toBe('0.0045');
});

it('bills a call with only a cost, and nothing for the span above it', () => {
  const costOnly = { input_tokens: undefined, output_tokens: undefined, estimated_cost_usd: '0.25' };
  const events = [
    anEvent({ event_id: eventIdOf(0), span_id: 'above', estimated_cost_usd: '0.25' }),
    anEvent({ event_id: eventIdOf(1), span_id: 'below', parent_span_id: 'above', ...costOnly }),
  ];

  expect(attributeTrace(events).map(({ record }) => record.cost_usd)).toEqual(['0', '0.25']);
});
