import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { tracesInJson } from '../otlp/messages.ts';
import {
  bedrockRecord,
  inferenceCloudEvent,
  litellmPayload,
  subscriptionMessage,
  vertexRow,
} from './logs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const PROMPT = 'launch codes of the prompt';

const decode = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  decodeCallLogs(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    'application/json',
    NOW,
    (name) => headers[name],
  );
/** The valid event of a log with one call. */
const eventOf = (body: unknown) => {
  const { events, skipped } = decode(body);
  expect([events.length, skipped]).toEqual([1, 0]);
  const { event, errors } = checkEvent(events[0], NOW);
  expect(errors).toBeNull();
  return event;
};
const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

describe('a payload of LiteLLM', () => {
  it('becomes an event with its counts, cost, time and owner, and nothing else', () => {
    expect(eventOf(litellmPayload({}, PROMPT))).toEqual({
      event_id: ID,
      id_basis: 'response.chatcmpl',
      ingestion_layer: 'gateway',
      source_system: 'litellm',
      ingestion_timestamp: '2026-11-01T12:00:10.000Z',
      occurred_at: '2026-11-01T12:00:00.250Z',
      provider: 'openai',
      requested_model: 'gpt-4o',
      served_model: 'gpt-4o-2024-08-06',
      operation: 'chat',
      input_tokens: 1_200,
      cached_input_tokens: 1_000,
      output_tokens: 180,
      reasoning_tokens: 64,
      estimated_cost_usd: '0.0000285',
      cost_source: 'estimate',
      latency_ms: 2_500,
      attributed_identity: 'checkout-assistant',
      end_user: 'ann',
      attributed_service: 'checkout-assistant',
      api_key_name: 'checkout-prod',
      tags: ['night'],
      trace_id: '1c3f0a52-7a4e-4d6b-9a51-6f1e1f6a2d11',
    });
  });

  it('has the customer as its end user before the person to whom the key belongs, and never as its owner', () => {
    const metadata = { user_api_key_user_id: 'ann', user_api_key_end_user_id: 'customer-2' };
    const usersOf = (payload: Record<string, unknown>) => {
      const { attributed_identity: owner, end_user: user } = eventOf(litellmPayload(payload)) ?? {};
      return [user, owner];
    };

    expect(usersOf({ end_user: 'customer-1', metadata })).toEqual(['customer-1', undefined]);
    expect(usersOf({ metadata })).toEqual(['customer-2', undefined]);
    expect(usersOf({ metadata: { user_api_key_user_id: 'ann' } })).toEqual(['ann', undefined]);
    expect(usersOf({ metadata: { user_api_key_user_id: 'default_user_id' } })).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('has the tokens and searches apart that have prices of their own', () => {
    const usage_object = {
      cache_creation_input_tokens: 500,
      prompt_tokens_details: {
        audio_tokens: 200,
        image_tokens: 100,
        cache_creation_token_details: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 },
      },
      completion_tokens_details: { audio_tokens: 50, image_tokens: 0 },
      server_tool_use: { web_search_requests: 2 },
    };

    expect(eventOf(litellmPayload({ metadata: { usage_object } }))).toMatchObject({
      cache_write_tokens: 500,
      cache_write_1h_tokens: 400,
      audio_input_tokens: 200,
      image_input_tokens: 100,
      audio_output_tokens: 50,
      web_searches: 2,
    });
  });

  it.each([
    [
      'an unknown price is no cost of 0',
      { response_cost: 0, response_cost_failure_debug_info: { error_str: '' } },
      undefined,
    ],
    ['an explicit cost of 0 stays 0', { response_cost: 0 }, '0'],
    [
      'a call that the cache of the gateway answered cost nothing',
      { cache_hit: true, response_cost: 0.5 },
      '0',
    ],
    ['a call without a cost has none', { response_cost: null }, undefined],
  ])('%s', (_, members, cost) => {
    expect(eventOf(litellmPayload(members))?.estimated_cost_usd).toBe(cost);
  });

  it('is the same call as its row in the table of spend', () => {
    const { id, response_cost, startTime, endTime, ...members } = litellmPayload();
    const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString();
    const row = {
      ...{ ...members, request_id: id, spend: response_cost, cache_hit: 'False' },
      ...{ startTime: timeOf(startTime), endTime: timeOf(endTime) },
    };

    expect(eventOf(row)).toEqual(eventOf(litellmPayload()));
    expect(eventOf({ ...row, cache_hit: 'True' })).toEqual(eventOf(litellmPayload({ cache_hit: true })));
  });

  it('has a cost of 0 as a statement only where the gateway answered or has a price of 0', () => {
    const priced = (price: number) => ({
      model_map_information: {
        model_map_value: { input_cost_per_token: price, output_cost_per_token: price },
      },
    });
    const sourceOf = (members: object) =>
      eventOf(litellmPayload({ response_cost: 0, ...members }))?.cost_source;

    expect([{}, priced(0), priced(0.1), { cache_hit: true }].map(sourceOf)).toEqual([
      'estimate',
      'provider',
      'estimate',
      'provider',
    ]);
  });

  it('of a failed call is an error', () => {
    expect(eventOf(litellmPayload({ status: 'failure' }))).toMatchObject({ status: 'error' });
  });

  it('of each attempt at a failed call is a call of its own, because the attempts share an id', () => {
    const attempts = [1_793_534_400, 1_793_534_401].map((startTime) =>
      eventOf(litellmPayload({ status: 'failure', startTime })),
    );

    expect(new Set(attempts.map((event) => event?.event_id)).size).toBe(2);
  });

  it.each(['call_mcp_tool', 'acreate_file', 'avector_store_search', 'acreate_batch', 'alist_batches'])(
    'of type %s is no call of a model',
    (call_type) => {
      const payload = litellmPayload({ call_type, prompt_tokens: 0, completion_tokens: 0 });

      expect(decode([payload])).toMatchObject({ events: [], skipped: 1 });
    },
  );

  it('of a batch is a call when a poll finds the usage, and not before', () => {
    const poll = { id: 'batch_68a1f2c3d4e5f60718', call_type: 'aretrieve_batch', response_cost: 0 };
    const pending = litellmPayload({ ...poll, prompt_tokens: 0, completion_tokens: 0, metadata: {} });

    expect(decode([pending])).toMatchObject({ events: [], skipped: 1 });
    const completed = { model: '', model_group: '', hidden_params: { batch_models: ['gpt-4o-mini'] } };
    expect(eventOf(litellmPayload({ ...poll, ...completed, response_cost: 0.1625 }))).toMatchObject({
      requested_model: 'gpt-4o-mini',
      batch: true,
      estimated_cost_usd: '0.1625',
    });
  });

  it('has the event id of the span of the same call', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': litellmPayload().id,
    };
    const body = Buffer.from(JSON.stringify(tracesInJson([{ items: [{ attributes }] }])));
    const [span] = decodeTraces(body, 'application/json', NOW).events;

    expect(eventOf(litellmPayload())?.event_id).toBe(span?.['event_id']);
  });
});

/** A call of Claude that summarised its context, and asked another model. */
const ITERATIONS = [
  { type: 'compaction', input_tokens: 180_000, cache_read_input_tokens: 1_000, output_tokens: 3_500 },
  { type: 'advisor_message', model: 'claude-opus-4-6', input_tokens: 900, output_tokens: 300 },
  { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
];

it.each([
  ['LiteLLM, which leaves them out', litellmPayload, 23_000, 1_000],
  ['LiteLLM, which adds them', litellmPayload, 204_000, 4_500],
])('the iterations of %s count once', (_, payload, prompt_tokens, completion_tokens) => {
  const usage_object = {
    prompt_tokens,
    completion_tokens,
    cache_read_input_tokens: 1_000,
    iterations: ITERATIONS,
  };
  const total_tokens = prompt_tokens + completion_tokens;
  const event = eventOf(
    payload({ prompt_tokens, completion_tokens, total_tokens, metadata: { usage_object } }),
  );

  expect(event).toMatchObject({
    input_tokens: 204_000,
    output_tokens: 4_500,
    unread_usage: ['advisor_message_tokens=1200'],
  });
});

it('summaries of the context that LiteLLM leaves out have the prices of their caches', () => {
  const written = { ephemeral_5m_input_tokens: 50_000, ephemeral_1h_input_tokens: 5_000 };
  const iterations = [
    {
      ...{ type: 'compaction', input_tokens: 100, output_tokens: 82, cache_creation: written },
      ...{ cache_read_input_tokens: 2_000, cache_creation_input_tokens: 55_000 },
    },
    { type: 'message', input_tokens: 180, output_tokens: 8 },
  ];
  const usage_object = {
    ...{ prompt_tokens: 180, completion_tokens: 8, cache_read_input_tokens: 0, iterations },
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  };
  const counts = { prompt_tokens: 180, completion_tokens: 8, total_tokens: 188, metadata: { usage_object } };

  expect(eventOf(litellmPayload({ ...counts, custom_llm_provider: 'anthropic' }))).toMatchObject({
    ...{ input_tokens: 57_280, cached_input_tokens: 2_000, cache_write_tokens: 55_000 },
    ...{ cache_write_1h_tokens: 5_000, output_tokens: 90 },
  });
});

it('tools that xAI ran and does not name are unread', () => {
  const usage_object = { prompt_tokens: 1_000, completion_tokens: 200, num_server_side_tools_used: 2 };

  expect(eventOf(litellmPayload({ metadata: { usage_object } }))).toMatchObject({
    unread_usage: ['num_server_side_tools_used=2'],
  });
});

it('the usage of xAI in LiteLLM counts calls of its tools and states what it charged', () => {
  const usage_object = {
    ...{ prompt_tokens: 1_000, completion_tokens: 200, cost_in_usd_ticks: 37_756_000, num_sources_used: 9 },
    num_server_side_tools_used: 5,
    server_side_tool_usage_details: {
      ...{ web_search_calls: 2, x_search_calls: 1, code_interpreter_calls: 1, file_search_calls: 1 },
      ...{ mcp_calls: 4, image_search_calls: 3 },
    },
  };

  expect(eventOf(litellmPayload({ metadata: { usage_object } }))).toMatchObject({
    ...{ web_searches: 3, code_executions: 1, file_searches: 1, unread_usage: ['image_search_calls=3'] },
    ...{ estimated_cost_usd: '0.0037756', cost_source: 'provider' },
  });
});

it.each<[string, unknown]>([
  [
    'Converse',
    {
      usage: {
        cacheDetails: [
          { ttl: '1h', inputTokens: 7_000 },
          { ttl: '5m', inputTokens: 502 },
        ],
      },
    },
  ],
  [
    'a stream of Converse',
    [
      { messageStart: { role: 'assistant' } },
      { metadata: { usage: { cacheDetails: [{ ttl: '1h', inputTokens: 7_000 }] } } },
    ],
  ],
  ['Claude', { usage: { cache_creation: { ephemeral_1h_input_tokens: 7_000 } } }],
  [
    'a stream of Claude',
    [
      { type: 'message_start', message: { usage: { cache_creation: { ephemeral_1h_input_tokens: 7_000 } } } },
      { type: 'message_delta', usage: { cache_creation: { ephemeral_1h_input_tokens: 7_000 } } },
    ],
  ],
])('the log of Bedrock tells how long the cache holds, by the answer of %s', (_, outputBodyJson) => {
  const event = eventOf(bedrockRecord({ output: { outputTokenCount: 10, outputBodyJson } }));

  expect(event).toMatchObject({ cache_write_tokens: 7_502, cache_write_1h_tokens: 7_000 });
});

it('the usage of Perplexity in LiteLLM states what it charged', () => {
  const usage_object = { prompt_tokens: 1_000, completion_tokens: 200, cost: { total_cost: 0.012 } };

  expect(eventOf(litellmPayload({ metadata: { usage_object } }))).toMatchObject({
    ...{ estimated_cost_usd: '0.012', cost_source: 'provider' },
  });
});

it('the parts of a usage in the names of responses and images count', () => {
  const usage_object = {
    input_tokens_details: { text_tokens: 200, image_tokens: 1_000, cached_tokens: 100 },
    output_tokens_details: { image_tokens: 180 },
  };

  expect(eventOf(litellmPayload({ metadata: { usage_object } }))).toMatchObject({
    ...{ input_tokens: 1_200, image_input_tokens: 1_000, cached_input_tokens: 100, image_output_tokens: 180 },
  });
});

it('the iterations of Claude at Vertex AI count', () => {
  const usage = { input_tokens: 23_000, output_tokens: 1_000, iterations: ITERATIONS };

  expect(eventOf(vertexRow({ full_response: { id: 'msg_vrtx_01Aaaaaaaaaaaa', usage } }))).toMatchObject({
    input_tokens: 204_000,
    cached_input_tokens: 1_000,
    output_tokens: 4_500,
    unread_usage: ['advisor_message_tokens=1200'],
  });
});

describe('a record of the Bedrock log', () => {
  it('becomes an event whose input includes the cached tokens', () => {
    expect(eventOf(bedrockRecord({}, PROMPT))).toEqual({
      event_id: ID,
      id_basis: 'request',
      ingestion_layer: 'provider_log',
      source_system: 'bedrock',
      ingestion_timestamp: '2026-11-01T12:00:10.000Z',
      occurred_at: '2026-11-01T12:00:00.000Z',
      provider: 'aws.bedrock',
      requested_model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      operation: 'chat',
      region: 'us-east-1',
      // The total that Bedrock reports for this call is 7,906 = 18 + 7,502 + 386.
      input_tokens: 7_520,
      cached_input_tokens: 0,
      cache_write_tokens: 7_502,
      output_tokens: 386,
      attributed_identity: 'payments',
      attributed_service: 'checkout-assistant',
      tags: ['service:checkout-assistant', 'team:payments'],
    });
  });

  it('without metadata is owned by its principal, without the session', () => {
    expect(eventOf(bedrockRecord({ requestMetadata: undefined }))).toMatchObject({
      attributed_identity: 'assumed-role/checkout',
    });
  });

  it('with an error has no tokens, and is an error', () => {
    const failed = { errorCode: 'ThrottlingException', input: {}, output: undefined };

    expect(eventOf(bedrockRecord(failed))).toMatchObject({
      status: 'error',
      requested_model: expect.any(String),
    });
  });
});

describe('a body', () => {
  it.each([
    ['a list', JSON.stringify([litellmPayload(), bedrockRecord()])],
    ['lines', `${JSON.stringify(litellmPayload())}\n${JSON.stringify(bedrockRecord())}\n`],
    ['a subscription message', JSON.stringify(subscriptionMessage([bedrockRecord(), bedrockRecord()]))],
    [
      'a batch of CloudEvents',
      JSON.stringify([inferenceCloudEvent(), inferenceCloudEvent({ id: 'call-43' })]),
    ],
  ])('may be %s', (_, body) => {
    expect(decode(body)).toMatchObject({ events: { length: 2 }, skipped: 0 });
  });

  it('counts entries of an unknown format, and reads the others', () => {
    const lines = ['not JSON', '{"level":"info"}', JSON.stringify(litellmPayload())].join('\n');
    const message = subscriptionMessage(['a log line', bedrockRecord()]);

    expect(decode(lines)).toMatchObject({ events: { length: 1 }, skipped: 2 });
    expect(decode(message)).toMatchObject({ events: { length: 1 }, skipped: 1 });
    expect(decode({ ...message, messageType: 'CONTROL_MESSAGE' })).toMatchObject({ events: [], skipped: 0 });
  });

  it('may hold content that other JSON bodies may not', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const text = JSON.stringify(litellmPayload()).replace(
      '"messages":[',
      `"messages":[{"__proto__":${deep}},`,
    );

    expect(eventOf(text)).toMatchObject({ input_tokens: 1_200 });
  });
});

describe('a CloudEvent of a call', () => {
  it('is the same event in binary mode, whose attributes are headers', () => {
    const { data, ...attributes } = inferenceCloudEvent({ source: '/gateways/emea süd' }, PROMPT);
    const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeURI(value)]);

    const { events } = decode(data, Object.fromEntries(headers));

    expect(events).toEqual(decode({ ...attributes, data }).events);
    expect(events).toHaveLength(1);
  });

  it('has the same attributes in quoted headers as in bare ones', () => {
    const { data, ...attributes } = inferenceCloudEvent({ source: '/gateways/"emea"' }, PROMPT);
    const quote = (value: unknown): string => `"${String(value).replaceAll('"', '\\"')}"`;
    const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, quote(value)]);

    expect(decode(data, Object.fromEntries(headers)).events).toEqual(decode({ ...attributes, data }).events);
  });

  it('is in the body if the media type says so, whatever attributes a gateway has copied to headers', () => {
    const event = inferenceCloudEvent({}, PROMPT);
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': 'copied',
      'content-type': 'application/cloudevents+json',
    };

    expect(decode(event, headers)).toEqual(decode(event));
  });

  it('becomes its event, with the identity, time and owner of its attributes', () => {
    expect(eventOf(inferenceCloudEvent({}, PROMPT))).toEqual({
      event_id: ID,
      ingestion_layer: 'application',
      ingestion_timestamp: '2026-11-01T12:00:00.000Z',
      occurred_at: '2026-11-01T12:00:00.000Z',
      source_system: '/gateways/emea',
      attributed_identity: 'team-search',
      provider: 'openai',
      requested_model: 'gpt-4o',
      input_tokens: 1_000,
      output_tokens: 200,
    });
  });

  it('is the same event for the same source and id only', () => {
    const idOf = (members: object) => eventOf(inferenceCloudEvent({ ...members }))?.event_id;

    expect(idOf({})).toBe(idOf({ data: { ...inferenceCloudEvent().data } }));
    expect(new Set([idOf({}), idOf({ id: 'call-43' }), idOf({ source: '/other' })]).size).toBe(3);
  });
});
