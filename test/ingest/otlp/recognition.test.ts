import { describe, expect, it } from 'vitest';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { encodeBytes, encodeText } from '../../../functions/platform/http/protobufFields.ts';
import { decode, decodeJson, decodeOne, logOf, MODEL, NOW, USAGE } from './decoding.ts';
import { type Attributes, logsInJson, tracesInProtobuf } from './messages.ts';

describe('a span with a model and token counts', () => {
  it.each([
    ...[undefined, 'responses', 'GenerateContent', 'messages', 'text_generation', 'chat.completions', 'CHAT'],
    ...[
      'call_llm',
      'summarize',
      'answer_question',
      'my step',
      'chat_with_tools',
      'acompletion',
      'gen_ai.chat',
    ],
  ])('is a call under the operation %s', (operation) => {
    const named: Attributes = operation === undefined ? {} : { 'gen_ai.operation.name': operation };

    expect(decodeOne({ ...MODEL, ...USAGE, ...named }).events).toMatchObject([
      { requested_model: 'gpt-4o', input_tokens: 1_000, output_tokens: 200 },
    ]);
  });

  it.each([
    [
      { 'ai.model': 'gpt-4o', 'ai.provider': 'openai', 'ai.tokens.input': 9, 'ai.tokens.output': 2 },
      'openai',
    ],
    [{ 'llm.model_used': 'gpt-4o', 'llm.input_tokens': 9, 'llm.output_tokens': 2 }, 'unknown'],
  ])('is a call by the words of its own names: %j', (attributes, provider) => {
    expect(decodeOne(attributes).events).toMatchObject([
      { provider, requested_model: 'gpt-4o', input_tokens: 9, output_tokens: 2 },
    ]);
  });

  it.each([
    ...[
      'invoke_agent',
      'create_agent',
      'execute_tool',
      'tool.execute',
      'invoke_workflow',
      'chain',
      'run_agent',
    ],
    ...['flow', 'function', 'util', 'executable-prompt'],
    ...['retrieval', 'plan', 'search_memory', 'orchestrate_tools', 'handoff', 'evaluation', 'aget_responses'],
    ...[
      'tokenize',
      'TOKEN_COUNTER',
      'count_tokens',
      'list_input_items',
      'cancel_responses',
      'delete_response',
      'video_status',
    ],
  ])('is no call under the operation %s', (operation) => {
    const { events, unread } = decodeOne({ ...MODEL, ...USAGE, 'gen_ai.operation.name': operation });

    expect(events).toEqual([]);
    expect(unread.size).toBe(0);
  });

  it.each([
    'openinference.instrumentation.claude_agent_sdk',
    '@arizeai/openinference-instrumentation-claude-agent-sdk',
  ])('is named as unread if it is a run of %s, which never reports the calls of its runs', (scope) => {
    const run = { 'openinference.span.kind': 'AGENT', 'llm.model_name': 'claude-sonnet-4-5' };
    const { events, unread } = decodeOne({ ...run, 'llm.token_count.prompt': 120 }, scope);

    expect([events, [...unread]]).toEqual([[], [[scope.slice(0, 64), 1]]]);
    expect(decodeOne(run, scope).unread.size).toBe(0);
  });

  it('is named as unread if it is a run of a service that runs agents itself, and no call is below it', () => {
    const run = {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': 'microsoft.foundry' },
      ...MODEL,
      ...USAGE,
    };
    const call = { ...MODEL, ...USAGE, 'gen_ai.operation.name': 'chat' };
    const below = decode([
      { spanId: '1111111111111111', attributes: run },
      { spanId: '2222222222222222', parentSpanId: '1111111111111111', attributes: call },
    ]);

    expect(decodeOne(run).unread.size).toBe(1);
    expect([below.events.length, below.unread.size]).toEqual([1, 0]);
    expect(decodeOne({ ...run, 'gen_ai.provider.name': 'openai' }).unread.size).toBe(0);
  });

  it.each([
    ['openinference.span.kind', 'AGENT'],
    ['openinference.span.kind', 'CHAIN'],
    ['openinference.span.kind', 'GUARDRAIL'],
    ['traceloop.span.kind', 'workflow'],
    ['langfuse.observation.type', 'span'],
    ['langfuse.observation.type', 'agent'],
    ['langsmith.span.kind', 'chain'],
    ['langsmith.span.kind', 'prompt'],
    ['mlflow.spanType', '"AGENT"'],
    ['langwatch.span.type', 'tool'],
    ['gen_ai.span.kind', 'CHAIN'],
    ['ai.operationId', 'ai.generateText'],
    ['lmnr.span.type', 'CACHED'],
    ['sentry.op', 'gen_ai.invoke_agent'],
  ])('is no call if %s is %s, whatever its operation', (name, kind) => {
    expect(decodeOne({ ...MODEL, ...USAGE, 'gen_ai.operation.name': 'chat', [name]: kind }).events).toEqual(
      [],
    );
  });

  it('is a call under the operation that AI SDK names, whatever it does', () => {
    const operationOf = (name: string) =>
      decodeOne({ 'ai.operationId': name, 'ai.model.id': 'rerank-v3.5' }, 'ai').events[0]?.['operation'];

    expect(
      ['ai.rerank.doRerank', 'ai.embed.doEmbed', 'ai.x.doSomething', 'ai.rerank'].map(operationOf),
    ).toEqual(['rerank', 'embeddings', 'chat', undefined]);
  });

  it('counts once if a span below it is a call too, under any names', () => {
    const items = [
      { spanId: '1111111111111111', attributes: { ...MODEL, ...USAGE } },
      {
        spanId: '2222222222222222',
        parentSpanId: '1111111111111111',
        attributes: { ...MODEL, ...USAGE, 'gen_ai.operation.name': 'chat' },
      },
    ];

    expect(decode(items).events).toMatchObject([{ span_id: '2222222222222222' }]);
  });
});

describe('a cost', () => {
  const COUNTED = { ...MODEL, ...USAGE };

  it.each<[string, Attributes]>([
    ['acme.cost', {}],
    ['acme.cost.total', {}],
    ['acme.request.totalCost', {}],
    ['acme.estimated_cost', { 'acme.cost.currency': 'EUR' }],
    ['github.copilot.cost', {}],
    ['gen_ai.usage.cost.amount', {}],
    ['gen_ai.usage.cost', { 'gen_ai.usage.cost.currency': 'JPY' }],
    ...['cost_credits', 'cost_in_cents', 'cost_micros', 'cost.units'].map((name): [string, Attributes] => [
      `acme.${name}`,
      {},
    ]),
    ...['EUR', 'CNY', 'INR', 'BRL'].map((code): [string, Attributes] => [
      `acme.cost_${code.toLowerCase()}`,
      {},
    ]),
  ])('under %s with %j is named and not read as USD, and without counts makes no call', (name, beside) => {
    const stated: Attributes = { [name]: 3, ...beside };
    const [event] = decodeOne({ ...COUNTED, ...stated }).events;
    const alone = decodeOne({ ...MODEL, ...stated });

    expect(event).toMatchObject({ unread_cost: name });
    expect(event).not.toHaveProperty('estimated_cost_usd');
    expect([alone.events, alone.unread.size]).toEqual([[], 1]);
  });

  it.each([
    ['acme.cost_usd', 'chat'],
    ['llm.cost.total', 'chat'],
    ['gen_ai.usage.cost', 'chat'],
    ['acme.usage.characters', 'speech'],
    ['acme.usage.audio_seconds', 'transcription'],
    ['acme.usage.pages_processed', 'ocr'],
    ['acme.usage.search_units', 'rerank'],
  ])('or usage in units makes a call of a span with a model: %s', (name, operation) => {
    expect(decodeOne({ ...MODEL, [name]: 3 }).events).toMatchObject([
      { requested_model: 'gpt-4o', operation },
    ]);
    expect(decodeOne({ ...MODEL, [name]: 0 }).events).toEqual([]);
    expect(decodeOne({ [name]: 3 }).events).toEqual([]);
    expect(decodeOne({ ...MODEL, [name]: 3, 'gen_ai.operation.name': 'invoke_agent' }).events).toEqual([]);
  });
});

describe('attributes in a namespace of their own', () => {
  const CALL = { 'acme.model.name': 'gpt-4o', 'acme.llm.prompt_tokens': 1_000 };

  it.each<[string, Attributes, Record<string, unknown>]>([
    ['a model and counts', CALL, { requested_model: 'gpt-4o', input_tokens: 1_000 }],
    ['a model without name', { 'acme.model': 'm', 'acme.tokensIn': 7 }, { requested_model: 'm' }],
    ['a served model', { ...CALL, 'acme.response.model': 'm' }, { served_model: 'm' }],
    ['counts below tokens', { 'acme.model': 'm', 'acme.tokens.completion': 7 }, { output_tokens: 7 }],
    ['parts of the counts', { ...CALL, 'acme.cache.read_tokens': 7 }, { cached_input_tokens: 7 }],
    ['audio', { ...CALL, 'acme.audio.input_tokens': 7 }, { audio_input_tokens: 7, input_tokens: 1_000 }],
    ['a cost', { ...CALL, 'acme.cost_in_usd': 0.25 }, { estimated_cost_usd: '0.25' }],
    [
      'a cost in ticks',
      { ...CALL, 'acme.usage.cost_in_usd_ticks': 37_756_000 },
      { estimated_cost_usd: '0.0037756', cost_source: 'provider' },
    ],
    [
      'no ticks, which charge nothing',
      { ...CALL, 'acme.usage.cost_in_usd_ticks': 0 },
      { estimated_cost_usd: '0', cost_source: 'estimate' },
    ],
    [
      'the sum of a cost with its currency',
      { ...CALL, 'acme.cost.total_cost': 0.25, 'acme.cost.currency': 'USD' },
      { estimated_cost_usd: '0.25', cost_source: 'estimate' },
    ],
    [
      'what Perplexity charged, as an SDK repeats it',
      { ...CALL, 'ai.response.providerMetadata': '{"perplexity":{"cost":{"totalCost":0.012}}}' },
      { estimated_cost_usd: '0.012', cost_source: 'provider' },
    ],
    [
      'calls of tools',
      { ...CALL, 'acme.usage.tools': '', 'acme.usage.x_search_calls': 2, 'acme.usage.web_search_calls': 3 },
      { web_searches: 5 },
    ],
    ['sources', { ...CALL, 'gen_ai.usage.num_sources_used': 40 }, { web_searches: 40 }],
    ['JSON of metrics', { ...CALL, 'acme.tts_metrics': '{"characters_count":500}' }, { characters: 500 }],
    ['characters of speech', { ...CALL, 'tts.character_count': 500 }, { characters: 500 }],
    ['begun seconds', { ...CALL, 'acme.usage.audio_seconds': 3.2 }, { audio_seconds: 4 }],
    ['a cost in dollars', { ...CALL, 'acme.totalCostDollars': 0.25 }, { estimated_cost_usd: '0.25' }],
    [
      'a total cost with its currency',
      { ...CALL, 'acme.cost.total': 0.25, 'acme.cost.currency': 'usd' },
      { estimated_cost_usd: '0.25' },
    ],
    ['a cost in JSON', { ...CALL, 'acme.cost_details': '{"total": 0.25}' }, { estimated_cost_usd: '0.25' }],
    [
      'a cost in euros beside one in dollars',
      { ...CALL, 'acme.cost': 0.2, 'acme.cost.currency': 'EUR', 'acme.cost_usd': 0.25 },
      { estimated_cost_usd: '0.25' },
    ],
    ['the cost of a part', { ...CALL, 'acme.input_cost': 0.25, 'acme.cost.input': 0.25 }, {}],
    [
      'JSON of counts, with their details',
      { 'acme.model': 'm', 'acme.usage_metadata': '{"input_tokens":9,"details":{"cache_read_tokens":4}}' },
      { input_tokens: 9, cached_input_tokens: 4 },
    ],
    [
      'JSON of counts, one of which no event has',
      { 'acme.model': 'm', 'acme.usage_details': '{"input":9,"input_video":4}' },
      { unread_usage: ['acme.usage_details.input_video=4'] },
    ],
    [
      'counts without a namespace',
      { model: 'm', provider: 'openai', input_tokens: 7, output_tokens: 3 },
      { provider: 'openai', requested_model: 'm', input_tokens: 7, output_tokens: 3 },
    ],
  ])('tell of a call: %s', (_, attributes, expected) => {
    const { events } = decodeOne(attributes);

    expect(events).toMatchObject([expected]);
    expect('estimated_cost_usd' in (events[0] ?? {})).toBe('estimated_cost_usd' in expected);
  });

  it.each<[string, Attributes]>([
    ['sums of a session', { 'acme.model': 'm', 'acme.session.input_tokens': 9 }],
    ['a model of a machine', { 'device.model.name': 'm', 'acme.input_tokens': 9 }],
    ['a limit', { 'acme.model': 'm', 'acme.max_input_tokens': 9 }],
    ['usage of a machine', { 'acme.model': 'm', 'system.memory.usage.max': 9 }],
    ['a token that grants access', { 'acme.model': 'm', 'acme.access_token': 'secret' }],
  ])('tell of no call: %s', (_, attributes) => {
    expect(decodeOne(attributes).events).toEqual([]);
  });

  it('are read of the metadata of an application only if a mapping names them', () => {
    const metadata = {
      ls_provider: 'openai',
      model: 'theirs',
      cost_usd: 9,
      usage: { input_tokens: 7 },
      user: 'ann',
    };

    expect(decodeOne({ ...MODEL, ...USAGE, metadata: JSON.stringify(metadata) }).events).toEqual(
      decodeOne({ ...MODEL, ...USAGE, 'gen_ai.provider.name': 'openai' }).events,
    );
  });

  it('do not replace those of the conventions', () => {
    expect(
      decodeOne({ ...CALL, ...MODEL, ...USAGE, 'acme.cost_usd': 9, 'gen_ai.usage.cost': 1 }).events,
    ).toMatchObject([{ requested_model: 'gpt-4o', input_tokens: 1_000, estimated_cost_usd: '1' }]);
  });

  it('tell of no call in a log record without a namespace, which repeats the span of the call', () => {
    expect(logOf({ model: 'm', input_tokens: 7 }).events).toEqual([]);
    expect(logOf(CALL).events).toHaveLength(1);
  });
});

describe('an operation name alone', () => {
  it('is no call without a model and counts', () => {
    expect(decodeOne({ 'gen_ai.operation.name': 'chat' }).events).toEqual([]);
    expect(decodeOne({ 'gen_ai.operation.name': 'chat', ...MODEL }).events).toHaveLength(1);
    expect(decodeOne({ 'gen_ai.operation.name': 'chat', ...USAGE }).events).toHaveLength(1);
  });
});

describe('the event of the conventions', () => {
  const EVENT = { 'event.name': 'gen_ai.client.inference.operation.details', ...MODEL, ...USAGE };

  it('has the id of the span that reports the call too', () => {
    const ids = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };
    const body = logsInJson([{ scope: 'acme.tracer', items: [{ attributes: EVENT }] }]);
    const record = body.resourceLogs[0]?.scopeLogs[0]?.logRecords[0];
    Object.assign(record ?? {}, ids);

    const [log] = decodeLogs(Buffer.from(JSON.stringify(body)), 'application/json', NOW).events;
    const [span] = decode([{ ...ids, attributes: { ...MODEL, ...USAGE } }]).events;

    expect(log?.['event_id']).toBe(span?.['event_id']);
  });

  it('repeats the call of a coding agent, whose own event counts', () => {
    expect(logOf(EVENT, 'gemini-cli').events).toEqual([]);
    expect(logOf(EVENT).events).toHaveLength(1);
  });
});

describe('an export with other names of its members', () => {
  const span = {
    trace_id: '5b8efff798038103d269b633813fc60c',
    span_id: 'eee19b7ec3c1b174',
    parent_span_id: '',
    start_time_unix_nano: '1793534400000000000',
    end_time_unix_nano: '1793534402000000000',
    attributes: [
      { key: 'gen_ai.request.model', value: { string_value: 'gpt-4o' } },
      { key: 'gen_ai.usage.input_tokens', value: { int_value: '1000' } },
      { key: 'gen_ai.usage.cost', value: { double_value: 0.0045 } },
      { key: 'tag.tags', value: { array_value: { values: [{ string_value: 'night' }] } } },
    ],
  };

  it('of the protobuf fields is read', () => {
    const body = {
      resource_spans: [{ resource: {}, scope_spans: [{ scope: { name: 'acme' }, spans: [span] }] }],
    };

    expect(decodeJson(body).events).toMatchObject([
      {
        requested_model: 'gpt-4o',
        input_tokens: 1_000,
        source_system: 'acme',
        tags: ['night'],
        latency_ms: 2_000,
      },
    ]);
  });

  it('of the protocol before its version 0.15 is read, in JSON and protobuf', () => {
    const library = { instrumentationLibrary: { name: 'acme' }, spans: [span] };
    const body = { resourceSpans: [{ instrumentationLibrarySpans: [library] }] };
    const current = tracesInProtobuf([{ scope: 'acme', items: [{ attributes: { ...MODEL, ...USAGE } }] }]);
    // The group of the only resource: its resource, then its scopes in field 2, which were in field 1000.
    const scopes = current.subarray(current.indexOf(encodeText(1, 'acme')) - 2);
    const old = encodeBytes(1, encodeBytes(1_000, scopes));

    expect(decodeJson(body).events).toMatchObject([{ requested_model: 'gpt-4o', source_system: 'acme' }]);
    expect(decodeTraces(old, 'application/x-protobuf', NOW).events).toMatchObject([
      { requested_model: 'gpt-4o', source_system: 'acme' },
    ]);
  });
});

it.each(['ai', 'opencode', 'my-app'])('spans of the AI SDK count alike under the tracer %s', (scope) => {
  const [event] = decodeOne(
    {
      'ai.operationId': 'ai.streamText.doStream',
      'ai.model.provider': 'anthropic',
      'ai.model.id': 'claude-haiku-4-5',
      'ai.usage.inputTokens': 12_632,
      'ai.usage.inputTokenDetails.noCacheTokens': 3,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 12_629,
      'ai.usage.outputTokens': 13,
      'ai.usage.totalTokens': 12_645,
    },
    scope,
  ).events;

  expect(event).toMatchObject({ input_tokens: 12_632, cache_write_tokens: 12_629 });
  expect(event).not.toHaveProperty('input_tokens_high');
});

const CALL_OF_AGENT = {
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.prompt_tokens': 1_000,
  'gen_ai.usage.completion_tokens': 200,
};

it('a span of AgentOps for an agent is none of a call', () => {
  expect(decodeOne({ ...CALL_OF_AGENT, 'agentops.span.kind': 'agent' }).events).toEqual([]);
  expect(decodeOne({ ...CALL_OF_AGENT, 'agentops.span.kind': 'llm' }).events).toHaveLength(1);
});

it.each(['prompt_cost', 'input_cost', 'details.cached_cost'])(
  'a part of the cost is no count: %s',
  (name) => {
    const [event] = decodeOne({
      ...CALL_OF_AGENT,
      [`gen_ai.usage.${name}`]: 0.25,
      'gen_ai.usage.cost': 1,
    }).events;

    expect(event).toMatchObject({ estimated_cost_usd: '1' });
    expect(event).not.toHaveProperty('unread_usage');
  },
);
