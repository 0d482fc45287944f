import { describe, expect, it } from 'vitest';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Attributes, SPAN, TRACE, tracesInJson, tracesInProtobuf } from './messages.ts';
import { CALL, eventOf, eventsOf, NOW } from './spanEvents.ts';

describe('a span of the GenAI conventions', () => {
  it('has the tokens apart that have prices of their own', () => {
    const media = {
      'gen_ai.usage.cache_write.input_tokens': 50,
      'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens': 40,
      'gen_ai.usage.audio.input_tokens': 60,
      'gen_ai.usage.image.input_tokens': 10,
      'gen_ai.usage.audio.output_tokens': 20,
      'gen_ai.usage.image.output_tokens': 5,
    };

    expect(eventOf({ ...CALL, ...media })).toMatchObject([
      {
        input_tokens: 120,
        cache_write_tokens: 50,
        cache_write_1h_tokens: 40,
        audio_input_tokens: 60,
        image_input_tokens: 10,
        audio_output_tokens: 20,
        image_output_tokens: 5,
      },
    ]);
  });

  it('becomes one event with its counts, cost, time, place and owner', () => {
    const events = eventOf(
      {
        ...CALL,
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.usage.cache_read.input_tokens': 100,
        'gen_ai.usage.cache_write.input_tokens': 5,
        'gen_ai.usage.reasoning.output_tokens': 10,
        'gen_ai.usage.cost.amount': 0.00045,
        'gen_ai.usage.cost.currency': 'USD',
        'openai.response.service_tier': 'priority',
        'server.address': 'eu.api.openai.com',
        'enduser.id': 'ann',
        'team.id': 'commerce',
        'tag.tags': ['batch', 'night'],
      },
      { parentSpanId: '0123456789abcdef' },
      {
        'service.name': 'checkout',
        'deployment.environment.name': 'prod',
        'k8s.namespace.name': 'shop',
        'k8s.deployment.name': 'checkout-v2',
        'k8s.cluster.name': 'eu-1',
      },
      'openai-sdk',
    );

    expect(events).toEqual([
      {
        event_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        id_basis: 'observation',
        ingestion_layer: 'otlp',
        ingestion_timestamp: '2026-11-01T12:00:10.000Z',
        occurred_at: '2026-11-01T12:00:00.000Z',
        provider: 'openai',
        requested_model: 'gpt-4o',
        served_model: 'gpt-4o-2024-08-06',
        operation: 'chat',
        region: 'eu',
        server_address: 'eu.api.openai.com',
        input_tokens: 120,
        cached_input_tokens: 100,
        cache_write_tokens: 5,
        output_tokens: 30,
        reasoning_tokens: 10,
        estimated_cost_usd: '0.00045',
        cost_source: 'estimate',
        service_tier: 'priority',
        latency_ms: 2_000,
        attributed_identity: 'commerce',
        end_user: 'ann',
        attributed_service: 'checkout',
        trace_id: TRACE,
        span_id: SPAN,
        parent_span_id: '0123456789abcdef',
        k8s_namespace: 'shop',
        k8s_workload: 'checkout-v2',
        k8s_cluster: 'eu-1',
        source_system: 'openai-sdk',
        tags: ['environment:prod', 'batch', 'night'],
      },
    ]);
  });

  it.each([
    [
      'older names',
      { 'gen_ai.system': 'anthropic', 'gen_ai.usage.prompt_tokens': 7, 'gen_ai.usage.completion_tokens': 2 },
    ],
    [
      'OpenLLMetry',
      {
        'llm.request.type': 'chat',
        'gen_ai.system': 'anthropic',
        'llm.usage.prompt_tokens': 7,
        'llm.usage.completion_tokens': 2,
      },
    ],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.provider': 'anthropic',
        'llm.token_count.prompt': 7,
        'llm.token_count.completion': 2,
      },
    ],
    [
      'Vercel AI SDK 5',
      {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.provider': 'anthropic.messages',
        'ai.usage.inputTokens': 7,
        'ai.usage.outputTokens': 2,
      },
    ],
  ])('is read with %s', (name, attributes) => {
    const model = name === 'OpenInference' ? 'llm.model_name' : 'gen_ai.request.model';
    const operation = name === 'older names' ? { 'gen_ai.operation.name': 'chat' } : {};

    expect(eventOf({ ...operation, ...attributes, [model]: 'claude-sonnet-4-5' })).toMatchObject([
      {
        provider: 'anthropic',
        requested_model: 'claude-sonnet-4-5',
        operation: 'chat',
        input_tokens: 7,
        output_tokens: 2,
      },
    ]);
  });

  it.each([
    ['its call type as the operation', { 'gen_ai.operation.name': 'acompletion' }, 'chat'],
    ['only its call type, without messages', { 'llm.request.type': 'aembedding' }, 'embeddings'],
  ])('is read with LiteLLM that sends %s', (_, type, operation) => {
    const attributes = {
      'llm.request.type': 'acompletion',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.cost.total_cost': 0.25,
      'metadata.user_api_key_user_id': 'default_user_id',
      'llm.user': '',
      'metadata.user_api_key_team_alias': 'search',
    };

    const [event] = eventOf({ ...attributes, ...type }, {}, { 'service.name': 'litellm' });
    const [named] = eventOf({ ...attributes, ...type, 'metadata.user_api_key_user_id': 'ann' });

    expect(event).toMatchObject({
      operation,
      input_tokens: 7,
      estimated_cost_usd: '0.25',
      attributed_identity: 'search',
      attributed_service: 'search',
    });
    expect([event?.['end_user'], named?.['end_user']]).toEqual([undefined, 'ann']);
    expect(eventOf({ ...attributes, 'llm.user': 'zoe' })).toMatchObject([
      { end_user: 'zoe', attributed_identity: 'search' },
    ]);
  });

  it('of OpenInference names the model asked and the model served', () => {
    const model = {
      'llm.model_name': 'claude-sonnet-4-5-20250929',
      'llm.request.model_name': 'claude-sonnet-4-5',
      'llm.response.model_name': 'claude-sonnet-4-5-20250929',
    };

    expect(
      eventOf({ 'openinference.span.kind': 'LLM', 'llm.provider': 'anthropic', ...model }),
    ).toMatchObject([{ requested_model: 'claude-sonnet-4-5', served_model: 'claude-sonnet-4-5-20250929' }]);
  });

  it.each([
    ['an agent', { 'gen_ai.operation.name': 'invoke_agent' }],
    ['a tool', { 'gen_ai.operation.name': 'execute_tool' }],
    ['a chain of OpenInference', { 'openinference.span.kind': 'CHAIN' }],
    [
      'an agent of OpenInference with the operation of a call',
      { ...CALL, 'openinference.span.kind': 'AGENT' },
    ],
    ['a root of Vercel AI SDK 5', { ...CALL, 'ai.operationId': 'ai.generateText' }],
  ])('of %s makes no event', (_, attributes) => {
    expect(eventOf({ ...CALL, ...attributes, 'gen_ai.operation.name': 'x', ...attributes })).toEqual([]);
  });

  it('of Vercel AI SDK 7 makes one event for the client span, not for its internal root', () => {
    const root = { spanId: 'aaaaaaaaaaaaaaaa', kind: 1, attributes: CALL };
    const client = { spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: root.spanId, kind: 3, attributes: CALL };

    expect(eventsOf([{ scope: 'gen_ai', items: [root] }])).toEqual([]);
    expect(eventsOf([{ scope: 'gen_ai', items: [root, client] }])).toMatchObject([
      { span_id: client.spanId },
    ]);
  });

  it('is not billed when a call below it is in the same export, at any depth', () => {
    const framework = { spanId: 'aaaaaaaaaaaaaaaa', attributes: CALL };
    const between = { spanId: 'cccccccccccccccc', parentSpanId: framework.spanId, attributes: {} };
    const call = { spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: between.spanId, attributes: CALL };

    expect(eventsOf([{ items: [framework, between, call] }])).toMatchObject([{ span_id: call.spanId }]);
    expect(eventsOf([{ items: [{ ...call, parentSpanId: call.spanId }] }])).toHaveLength(1);
  });
});

describe('content', () => {
  const secret = 'Tell me the launch codes';
  const content = {
    'gen_ai.input.messages': secret,
    'gen_ai.prompt.0.content': secret,
    'input.value': secret,
    'llm.input_messages.0.message.content': secret,
    'ai.prompt.messages': secret,
    'traceloop.entity.input': secret,
  };

  it('is named but never kept', () => {
    const groups = [{ items: [{ attributes: { ...CALL, ...content } }] }];
    const decoded = decodeTraces(tracesInProtobuf(groups), 'application/x-protobuf', NOW);
    const json = decodeTraces(Buffer.from(JSON.stringify(tracesInJson(groups))), 'application/json', NOW);

    expect(decoded).toEqual(json);
    expect([...decoded.content].sort()).toEqual(Object.keys(content).sort());
    expect(JSON.stringify(decoded)).not.toContain('launch');
  });

  it('in an attribute that nobody knows is dropped as well', () => {
    expect(
      JSON.stringify(eventOf({ ...CALL, 'acme.notes': secret, 'exception.message': secret })),
    ).not.toContain('launch');
  });
});

describe('the tags of a call', () => {
  it('that an event cannot hold are left out, and the call is kept', () => {
    const many = ['x'.repeat(65), '', ...Array.from({ length: 18 }, (_, index) => `tag-${index}`)];
    const resource = { 'deployment.environment.name': 'prod' };
    const keptOf = (tags: readonly string[]) => {
      const groups = [{ resource, items: [{ attributes: { ...CALL, 'tag.tags': tags } }] }];
      const { events } = decodeTraces(
        Buffer.from(JSON.stringify(tracesInJson(groups))),
        'application/json',
        NOW,
      );
      return checkEvent(events[0], NOW).event?.tags;
    };

    expect(keptOf(many)).toEqual(['environment:prod', ...many.slice(2)]);
    expect(keptOf(many.map((_, index) => `t${index}`))).toHaveLength(20);
  });
});

describe('a required name that an event cannot hold', () => {
  const decodeOne = (attributes: Attributes) => {
    const body = Buffer.from(JSON.stringify(tracesInJson([{ items: [{ attributes }] }])));
    const { events, warnings } = decodeTraces(body, 'application/json', NOW);
    return { event: InvocationEvent.parse(events[0]), warnings };
  };

  it.each([
    ['is cut off if it is too long', 'p'.repeat(80), 'p'.repeat(64), 'must have at most 64 characters'],
    [
      'is replaced if it holds a secret',
      `sk-proj-${'a1B2'.repeat(12)}`,
      'unknown',
      'must not contain a secret',
    ],
    ['loses its control characters', 'open\u0007ai', 'openai', undefined],
  ])('%s, and the call is kept', (_, provider, kept, warning) => {
    const { event, warnings } = decodeOne({ ...CALL, 'gen_ai.provider.name': provider });

    expect(event).toMatchObject({ provider: kept, input_tokens: 120 });
    expect(warnings).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
  });

  it('comes with a warning if the counts contradict the convention', () => {
    const { event, warnings } = decodeOne({ ...CALL, 'gen_ai.usage.cache_read.input_tokens': 500 });

    expect(event).toMatchObject({ input_tokens: 620, cached_input_tokens: 500 });
    expect(warnings).toEqual([expect.stringContaining('exclusive')]);
  });
});

describe('a service', () => {
  it('that nobody named is left out', () => {
    const [event = {}] = eventOf(CALL, {}, { 'service.name': 'unknown_service:node' });

    expect(Object.keys(event)).not.toContain('attributed_service');
  });

  it('named by the agent precedes that of the process', () => {
    expect(eventOf({ ...CALL, 'gen_ai.agent.name': 'planner' }, {}, { 'service.name': 'api' })).toMatchObject(
      [{ attributed_service: 'planner' }],
    );
  });
});
