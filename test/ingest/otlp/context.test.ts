import { describe, expect, it } from 'vitest';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { names } from '../../../functions/ingest/spans/attributeNames.ts';
import { type Attributes, type SpanInput, tracesInJson, tracesInProtobuf } from './messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };

const identitiesOf = (items: readonly SpanInput[], resource: Attributes = {}): readonly unknown[] => {
  const groups = [{ resource, items }];
  const { events } = decodeTraces(tracesInProtobuf(groups), 'application/x-protobuf', NOW);
  const json = decodeTraces(Buffer.from(JSON.stringify(tracesInJson(groups))), 'application/json', NOW);
  expect(json.events).toEqual(events);
  return events.map((event) => event['attributed_identity'] ?? event['end_user']);
};

it.each(names.endUser)('%s names the end user, and never the owner', (name) => {
  const group = { resource: { 'team.id': 'platform' }, items: [{ attributes: { ...CALL, [name]: 'ann' } }] };
  const eventsOf = (groups: Parameters<typeof tracesInProtobuf>[0]) =>
    decodeTraces(tracesInProtobuf(groups), 'application/x-protobuf', NOW).events;

  expect(eventsOf([group])).toMatchObject([{ end_user: 'ann', attributed_identity: 'platform' }]);
  expect(eventsOf([{ ...group, resource: {} }])[0]).not.toHaveProperty('attributed_identity');
});

const request = { spanId: 'aaaaaaaaaaaaaaaa', attributes: { 'enduser.id': 'ann' } };
const agent = {
  spanId: 'bbbbbbbbbbbbbbbb',
  parentSpanId: request.spanId,
  attributes: { 'gen_ai.operation.name': 'invoke_agent' },
};
const call = { spanId: 'cccccccccccccccc', parentSpanId: agent.spanId, attributes: CALL };

describe('the identity of a call', () => {
  it('is taken from the nearest span above it that names one, in any order of the spans', () => {
    const step = { ...agent, attributes: { ...agent.attributes, 'ai.settings.context.userId': 'zoe' } };

    expect(identitiesOf([request, agent, call])).toEqual(['ann']);
    expect(identitiesOf([call, agent, request])).toEqual(['ann']);
    expect(identitiesOf([call, step, request])).toEqual(['zoe']);
  });

  it('is its own before that of a span above, and that of a span above before that of the process', () => {
    const named = { ...call, attributes: { ...CALL, 'user.id': 'bob' } };

    expect(identitiesOf([request, agent, named])).toEqual(['bob']);
    expect(identitiesOf([request, agent, call], { 'user.id': 'process' })).toEqual(['ann']);
    expect(identitiesOf([agent, call], { 'team.id': 'platform' })).toEqual(['platform']);
  });

  it('is not taken from another trace or from a span beside it', () => {
    const elsewhere = { ...agent, traceId: 'f'.repeat(32), attributes: { 'user.id': 'eve' } };
    const sibling = {
      spanId: 'dddddddddddddddd',
      parentSpanId: agent.spanId,
      attributes: { 'user.id': 'eve' },
    };

    expect(identitiesOf([elsewhere, sibling, call])).toEqual([undefined]);
  });
});

describe('the spans between two calls', () => {
  const USED = { ...CALL, 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 };
  const span = (
    spanId: string,
    parentSpanId: string | undefined,
    attributes: Attributes = {},
  ): SpanInput => ({
    spanId: spanId.repeat(16),
    ...(parentSpanId !== undefined && { parentSpanId: parentSpanId.repeat(16) }),
    attributes,
  });
  const linksOf = (items: readonly SpanInput[]) =>
    decodeTraces(tracesInProtobuf([{ resource: {}, items }]), 'application/x-protobuf', NOW).events.map(
      ({ span_id, caller_span_id, covered_span_ids }) => [span_id, caller_span_id, covered_span_ids],
    );
  const id = (digit: string) => digit.repeat(16);

  it('are bridged by the call below them and by the call above them', () => {
    expect(linksOf([span('a', 'b', USED), span('b', 'c'), span('c', 'd')])).toEqual([
      [id('a'), id('d'), undefined],
    ]);
    expect(linksOf([span('c', 'b'), span('b', 'd'), span('d', 'e', USED)])).toEqual([
      [id('d'), undefined, [id('b'), id('c')]],
    ]);
  });

  it('are no bridge over a tool or an agent, whose calls are others than the call above it', () => {
    const tool = span('b', 'c', { 'gen_ai.operation.name': 'execute_tool' });
    expect(linksOf([span('a', 'b', USED), tool, span('c', undefined, USED)])).toEqual([
      [id('a'), undefined, undefined],
      [id('c'), undefined, undefined],
    ]);
    expect(linksOf([span('a', 'b', USED), tool])).toEqual([[id('a'), undefined, undefined]]);
  });

  it('are at most eight below a call, and none above a root or in a circle', () => {
    const below = [...'0123456789'].map((digit) => span(digit, 'a'));
    expect(linksOf([span('a', undefined, USED), ...below])[0]?.[2]).toHaveLength(8);
    expect(linksOf([span('a', 'b', USED), span('b', undefined)])).toEqual([[id('a'), undefined, undefined]]);
    expect(linksOf([span('a', 'b', USED), span('b', 'c'), span('c', 'b')])).toEqual([
      [id('a'), undefined, undefined],
    ]);
  });
});
