import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { eventIdOfCall } from '../../../functions/ingest/formats/observedCall.ts';
import { tables } from '../producers/tables.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.000Z';
const read = (...rows: readonly unknown[]) =>
  decodeCallLogs(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')), 'application/x-ndjson', NOW);

const ROWS = tables.map(({ producer, row, expect }) => [producer, row, expect] as const);
const [, DATABRICKS] = ROWS.find(([producer]) => producer.startsWith('Databricks AI Gateway')) ?? [];

describe.each(ROWS)('%s', (_, row, expected) => {
  it('makes one record of a gateway, with its counts and without content', () => {
    const { events, skipped } = read(row);

    expect([skipped, events]).toMatchObject([
      0,
      [
        {
          ...{ ingestion_layer: 'gateway', occurred_at: TIME },
          requested_model: expect.stringMatching(/^(?:openai\/)?gpt-4o$/),
          ...{ input_tokens: 1_000, output_tokens: 200, ...expected },
        },
      ],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/a prompt|an answer|unread_usage/);
    if (!/ms"/i.test(JSON.stringify(row))) expect(events[0]).not.toHaveProperty('latency_ms');
    expect(read(row).events[0]?.['event_id']).toBe(events[0]?.['event_id']);
  });

  it.each(['camel case', 'capitals', 'snake case'])('means the same in %s', (style) => {
    const cased = (column: string): string => {
      const name = column.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
      return style === 'capitals'
        ? name.toUpperCase()
        : style === 'camel case'
          ? name.replaceAll(/_([a-z])/g, (__, letter: string) => letter.toUpperCase())
          : name;
    };
    const renamed = Object.fromEntries(Object.entries(row).map(([name, value]) => [cased(name), value]));

    expect(read(renamed).events).toEqual(read(row).events);
  });
});

it('a row has the time of a line of a logger, in any of its units', () => {
  const seconds = Date.parse(TIME) / 1_000;
  for (const ts of [TIME, seconds, seconds * 1_000]) {
    const { events } = read({
      ts,
      event: 'llm_call',
      model: 'gpt-4o',
      input_tokens: 9,
      output_tokens: 2,
      id: 'a',
    });
    expect(events).toMatchObject([{ occurred_at: TIME, input_tokens: 9 }]);
  }
});

it.each<[string, Record<string, unknown>]>([
  ['without an id, of a whole hour', { request_id: undefined }],
  ['without a time', { event_time: undefined }],
  ['without a model', { destination_model: undefined }],
  ['without counts', { input_tokens: undefined, output_tokens: 0 }],
  ['of several calls', { request_count: 3 }],
  ['of a chain', { run_type: 'chain' }],
  ['of a span', { type: 'SPAN' }],
])('a row %s is skipped', (_, change) => {
  expect(read({ ...DATABRICKS, ...change })).toMatchObject({ events: [], skipped: 1 });
});

it.each<[RegExp, Record<string, unknown>]>([
  [/sum of several/, { request_count: 3 }],
  [/neither input nor output tokens/, { input_tokens: undefined, output_tokens: 0, tokens: 900 }],
  [/no time/, { event_time: undefined }],
  [/whole hour/, { request_id: undefined }],
])('a row with a model that is skipped says why: %s', (reason, change) => {
  expect(read({ ...DATABRICKS, ...change }).warnings).toEqual([expect.stringMatching(reason)]);
});

it('a row with a cost of its gateway and without counts is a call', () => {
  const pushed = {
    ...{ Timestamp: `${Date.parse(TIME) + 1}000000`, Gateway: 'prod', Cached: false, StatusCode: 200 },
    ...{ Model: 'gpt-4o', Provider: 'openai', RoutingDecisionID: 'a' },
  };
  const { events } = read({ ...pushed, Metrics: { cost: 0.0042, durationMs: 900 } });

  expect(events).toMatchObject([
    { occurred_at: TIME.replace('.000Z', '.001Z'), estimated_cost_usd: '0.0042', latency_ms: 900 },
  ]);
  expect(events[0]).not.toHaveProperty('input_tokens');
  expect(read({ ...pushed, Metrics: { cost: 0 } })).toMatchObject({ events: [], skipped: 1 });
});

it('a row whose call failed or was answered by a cache says so', () => {
  expect(read({ ...DATABRICKS, status_code: 429 }).events).toMatchObject([{ status: 'error' }]);
  for (const cached of [true, 'True']) {
    expect(read({ ...DATABRICKS, cached }).events).toMatchObject([
      { estimated_cost_usd: '0', cost_source: 'provider' },
    ]);
  }
  expect(read({ ...DATABRICKS, cached: 400 }).events[0]).not.toHaveProperty('estimated_cost_usd');
  // A label of the caller.
  expect(read({ ...DATABRICKS, metadata: { type: 'agent' } }).events).toHaveLength(1);
});

it.each<[string, (rows: readonly unknown[]) => unknown]>([
  ['result of Cloudflare', (result) => ({ result, success: true, errors: [], result_info: { page: 1 } })],
  ['data of Langfuse', (data) => ({ data, meta: { page: 1, totalItems: 2 } })],
  ['data of one generation', ([data]) => ({ data })],
  ['pages of items', (items) => ({ success: true, data: { page: 1, items } })],
  ['logs and statistics', (logs) => ({ logs, pagination: { limit: 50 }, stats: { total_cost: 1 } })],
  ['a page of Opik', (content) => ({ page: 1, size: 2, total: 2, content })],
  ['usage events', (usageEvents) => ({ totalUsageEventsCount: 2, usageEvents })],
  [
    'lists of a table',
    (rows) => {
      const columns = Object.keys(Object(rows[0]));
      const lists = rows.map((row) => columns.map((name) => Object(row)[name]));
      return { tables: [{ name: 'PrimaryResult', columns: columns.map((name) => ({ name })), rows: lists }] };
    },
  ],
  ['hits of a search', (rows) => ({ hits: { hits: rows.map((_source) => ({ _id: 'a', _source })) } })],
])('rows in the %s are read', (_, envelope) => {
  const rows = [DATABRICKS, { ...DATABRICKS, request_id: 'another' }];
  const { events, skipped } = read(envelope(rows));

  expect(skipped).toBe(0);
  expect(events).toEqual(read(...rows).events.slice(0, events.length));
  expect(events.length).toBeGreaterThan(0);
});

it('a gateway that calls with the own key of the caller charges a fee, which is not the cost', () => {
  const [event] = read({ ...DATABRICKS, is_byok: true, total_cost: 0.0002 }).events;

  expect(event).toMatchObject({ input_tokens: 1_000 });
  expect(event).not.toHaveProperty('estimated_cost_usd');
});

describe('rows without an id', () => {
  const row = { ...DATABRICKS, request_id: undefined, event_time: '2026-11-01T12:03:10.250Z' };
  const others = [
    ...[{ input_tokens: 900 }, { output_tokens: 100 }, { requester: 'bob@example.org' }, { latency_ms: 950 }],
    ...[{ event_time: '2026-11-01T12:03:10.251Z' }, { destination_model: 'gpt-4o-mini' }],
  ].map((change) => ({ ...row, ...change }));
  const idsOf = (rows: readonly unknown[]) => read(...rows).events.map((event) => event['event_id']);

  it('are as many calls as there are rows, in any order, however often they are sent', () => {
    const rows = [row, row, row, ...others];
    const ids = idsOf(rows);

    expect(new Set(ids).size).toBe(rows.length);
    expect(idsOf(rows)).toEqual(ids);
    expect(idsOf(rows.toReversed()).toSorted()).toEqual(ids.toSorted());
  });

  it('are others where they are part of another session, which exports need not have together', () => {
    const part = (session_id: string) => ({ ...row, session_id, batch_id: session_id });

    expect(idsOf([part('a')])).not.toEqual(idsOf([part('b')]));
    expect(idsOf([{ ...row, batch_id: 'of one export' }])).toEqual(idsOf([row]));
  });

  it('say that equal rows of two bodies are taken as one call', () => {
    expect(read(row).warnings).toEqual([expect.stringContaining('add a column id')]);
    expect(read(DATABRICKS).warnings).toEqual([]);
  });

  it('are the same calls when their cost or their tags become known', () => {
    expect(idsOf([{ ...row, total_cost: 0.01, metadata: { release: 'b' } }])).toEqual(idsOf([row]));
  });

  it('say why those of a whole hour are skipped', () => {
    const { warnings, skipped } = read({ ...row, event_time: TIME });

    expect([skipped, warnings]).toEqual([1, [expect.stringContaining('sum of calls')]]);
  });
});

describe('the region of a row', () => {
  it.each([
    ['aws.bedrock', { aws_region: 'us-west-2' }, { region: 'us-west-2' }],
    ['azure', { Region: 'East US 2' }, { region: 'eastus2' }],
    ['gcp.vertex_ai', { location: 'europe-west4' }, { region: 'europe-west4' }],
    ['snowflake', { inference_region: 'aws_eu_central_1' }, { inference_region: 'eu-central-1' }],
    ['aws.bedrock', { region: 'unknown' }, {}],
    // There the gateway or its caller is.
    ['openai', { region: 'us-east-1' }, {}],
    ['aws.bedrock', { country: 'de', colo: 'FRA' }, {}],
  ])('of %s with %j is %j', (provider, columns, expected) => {
    const [event] = read({ ...DATABRICKS, provider, ...columns }).events;

    expect({ region: event?.['region'], inference_region: event?.['inference_region'] }).toEqual({
      ...{ region: undefined, inference_region: undefined },
      ...expected,
    });
  });
});

it('a request of several models is a call of each', () => {
  const counts = { input: 10, output: 5 };
  for (const column of ['TOKENS_GRANULAR', 'modelUsage', 'usage_metadata']) {
    const row = {
      REQUEST_ID: 'a',
      USAGE_TIME: TIME,
      [column]: { 'gpt-4o': counts, 'claude-haiku-4-5': counts },
    };
    const { events } = read(row);

    expect(events).toMatchObject([
      { requested_model: 'gpt-4o', input_tokens: 10, output_tokens: 5 },
      { requested_model: 'claude-haiku-4-5', input_tokens: 10, output_tokens: 5 },
    ]);
    expect(new Set(events.map((event) => event['event_id'])).size).toBe(2);
  }
});

it.each([
  { object: 'response', id: 'resp_0123456789abcdef' },
  { object: 'chat.completion', id: 'chatcmpl-0123456789abcdef' },
  { type: 'message', id: 'msg_0123456789abcdef' },
])('the answer of a provider itself, $id, has its id as that of the response', (answer) => {
  const [event] = read({
    ...answer,
    created_at: 1_793_534_400,
    model: 'gpt-4o',
    usage: { input_tokens: 9 },
  }).events;

  expect(event).toMatchObject({ event_id: eventIdOfCall(answer.id) });
});

it('an answer without a row that is known is one skipped entry', () => {
  expect(
    read({ data: [{ object: 'bucket', results: [{ num_model_requests: 5, input_tokens: 9 }] }] }),
  ).toMatchObject({
    events: [],
    skipped: 1,
  });
});

it.each<[unknown, string | undefined]>([
  ...[1_793_534_400, 1_793_534_400_000, '1793534400000'].map((at): [unknown, string] => [at, TIME]),
  [Number.MAX_VALUE, undefined],
  ['no time', undefined],
  [-5, undefined],
])('the time %s of a row is read by its size', (event_time, expected) => {
  const { events } = read({ ...DATABRICKS, event_time, latency_ms: '1e999' });

  expect(events.map(({ occurred_at }) => occurred_at)).toEqual(expected === undefined ? [] : [expected]);
});

it.each(['text-embedding-3-small', 'voyage-3.5', 'jina-reranker-v2'])(
  'a total of %s is what it read',
  (model) => {
    const usage = { total_tokens: 5_000 };

    expect(read({ id: 'a', timestamp: TIME, model, usage }).events).toMatchObject([{ input_tokens: 5_000 }]);
    expect(read({ id: 'a', timestamp: TIME, model: 'gpt-4o', usage })).toMatchObject({
      events: [],
      skipped: 1,
    });
  },
);

it('the place where Anthropic keeps a call is the region of its price', () => {
  const usage = { input_tokens: 1_000, output_tokens: 200, inference_geo: 'us' };
  const [event] = read({
    id: 'a',
    timestamp: TIME,
    model: 'claude-sonnet-4-6',
    provider: 'anthropic',
    usage,
  }).events;

  expect(event).toMatchObject({ region: 'us' });
});

it.each<[string, Record<string, unknown>, object]>([
  ['pages', { usage_info: { pages_processed: 10, doc_size_bytes: 30_000 } }, { pages: 10 }],
  [
    'cache writes by how long they hold',
    {
      usage: {
        ...{ inputTokens: 10, outputTokens: 5, totalTokens: 85, cacheWriteInputTokens: 70 },
        cacheDetails: [{ ttl: '1h', inputTokens: 70 }],
      },
    },
    { input_tokens: 80, cache_write_tokens: 70, cache_write_1h_tokens: 70 },
  ],
  ['seconds of audio', { usage: { type: 'duration', seconds: 120 } }, { operation: 'transcription' }],
  [
    'searches of a rerank',
    { results: [{ index: 0 }], meta: { billed_units: { search_units: 2 } } },
    { operation: 'rerank' },
  ],
  [
    'tokens beside the text of an answer',
    { text: 'a', meta_info: { prompt_tokens: 1_000, completion_tokens: 200, cached_tokens: 400 } },
    { input_tokens: 1_000, cached_input_tokens: 400, output_tokens: 200 },
  ],
])('an answer that counts %s is a call', (_, answer, expected) => {
  const { events } = read({ ...{ id: 'a1', timestamp: TIME, model: 'a-model' }, ...answer });

  expect(events).toMatchObject([expected]);
});

describe('a log of Kong', () => {
  const plugin = (name: string, prompt_tokens: number) => ({
    meta: { provider_name: name, request_model: 'gpt-4o', plugin_id: 'a', llm_latency: 2_670 },
    usage: { prompt_tokens, completion_tokens: 200, total_tokens: prompt_tokens + 200, time_per_token: 13 },
  });
  const log = (ai: Record<string, unknown>) => ({
    ...{ started_at: Date.parse(TIME), request: { id: '4208c80e2ea97b6f0b0a3a3cd9a8b7f1' }, ai },
  });

  it('is a call for each plugin that asked a model', () => {
    const transformed = log({
      ...{ payload: {}, 'ai-request-transformer': plugin('openai', 1_000) },
      'ai-proxy': plugin('azure', 500),
    });
    const { events } = read(transformed);

    expect(events).toMatchObject([
      { provider: 'openai', input_tokens: 1_000 },
      { provider: 'azure', input_tokens: 500 },
    ]);
    expect(new Set(events.map((event) => event['event_id'])).size).toBe(2);
    expect(read(transformed).events).toEqual(events);
  });

  it('has no cost where its cache answered', () => {
    const cached = { ...plugin('openai', 1_000), cache: { cache_status: 'Hit' } };
    const missed = { ...plugin('openai', 1_000), cache: { cache_status: 'Miss' } };

    expect(read(log({ proxy: cached })).events).toMatchObject([
      { estimated_cost_usd: '0', cost_source: 'provider' },
    ]);
    expect(read(log({ proxy: missed })).events[0]).not.toHaveProperty('estimated_cost_usd');
  });
});

it.each<[string, Record<string, unknown>, string]>([
  ['xAI', { cost_in_usd_ticks: 755_000_000, num_sources_used: 3 }, '0.0755'],
  ['Perplexity', { cost: { input_tokens_cost: 0.003, request_cost: 0.006, total_cost: 0.012 } }, '0.012'],
  [
    'Perplexity, for an agent',
    { cost: { currency: 'USD', input_cost: 0.002, tool_calls_cost: 0.005, total_cost: 0.0095 } },
    '0.0095',
  ],
])('what %s charged is the cost, in its own answer', (_, stated, estimated_cost_usd) => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200, ...stated };
  const { events } = read({ id: 'a1', timestamp: TIME, model: 'a-model', usage });

  expect(events).toMatchObject([{ estimated_cost_usd, cost_source: 'provider' }]);
});

it('a row with a time and counts that names no model says so', () => {
  // https://docs.databricks.com/aws/en/admin/system-tables/model-serving-cost
  const row = { databricks_request_id: 'a', request_time: TIME, input_token_count: 9, served_entity_id: 'b' };

  expect(read(row)).toMatchObject({ events: [], warnings: [expect.stringMatching(/names no model/)] });
  expect(read({ time: TIME, cpu_seconds: 9 }).warnings).toEqual([]);
});

it('a cost without a unit is named and not read', () => {
  const [event] = read({ ...DATABRICKS, cost: 3 }).events;

  expect(event).toMatchObject({ unread_cost: 'row.cost' });
  expect(event).not.toHaveProperty('estimated_cost_usd');
});

it.each<[string, Record<string, unknown>, Record<string, string>]>([
  ['charges what it answers', { cost: 0.0161 }, { estimated_cost_usd: '0.0161', cost_source: 'provider' }],
  [
    'charges more than the provider, for a tool',
    { cost: 0.0161, cost_details: { upstream_inference_cost: 0.0002 } },
    { estimated_cost_usd: '0.0161', cost_source: 'provider' },
  ],
  ['charges a fee for a key of the caller', { cost: 0.0161, is_byok: true }, {}],
  [
    'charges a fee, and does not say whose key it was',
    { cost: 0.000009, cost_details: { upstream_inference_cost: 0.00018 } },
    {},
  ],
])('OpenRouter %s', (_, members, expected) => {
  const usage = {
    ...{ prompt_tokens: 900, completion_tokens: 69, total_tokens: 969 },
    cost_details: { upstream_inference_cost: null },
    ...members,
  };
  const { events } = read({ id: 'gen-1763600000-abcdefgh', timestamp: TIME, model: 'openai/gpt-4o', usage });

  expect(events).toMatchObject([{ input_tokens: 900, ...expected }]);
  expect(events[0]?.['estimated_cost_usd']).toBe(expected['estimated_cost_usd']);
});

it.each<[string, Record<string, unknown>, number, number | undefined]>([
  ['of Claude are beside the input', { type: 'message' }, 8_000, undefined],
  ['of a gateway can be either', { type: 'chat' }, 5_000, 8_000],
  ['are where PostHog says: beside', { $ai_cache_reporting_exclusive: true }, 8_000, undefined],
  ['are where PostHog says: within', { $ai_cache_reporting_exclusive: false }, 5_000, undefined],
])('cached tokens %s', (_, members, input, high) => {
  const [event] = read({
    ...{ id: 'msg_01LJNXcHTfA9mndadeP29RWD', timestamp: TIME, provider: 'anthropic' },
    ...{ model: 'claude-sonnet-4-6', ...members },
    usage: { input_tokens: 5_000, cache_read_input_tokens: 3_000, output_tokens: 10 },
  }).events;

  expect([event?.['input_tokens'], event?.['input_tokens_high']]).toEqual([input, high]);
});

it('a row has its counts as a data frame writes them', () => {
  const { events } = read({ ...DATABRICKS, input_tokens: '1000.0', output_tokens: '200.00' });

  expect(events).toMatchObject([{ input_tokens: 1_000, output_tokens: 200 }]);
  expect(read({ ...DATABRICKS, input_tokens: '1000.5' }).events[0]).not.toHaveProperty('input_tokens');
});

it('searches that PostHog counts in the properties of an event have a price', () => {
  const { events } = read({
    ...{ uuid: 'a', event: '$ai_generation', timestamp: TIME },
    properties: { $ai_model: 'gpt-4o', $ai_input_tokens: 9, $ai_output_tokens: 1, $ai_web_search_count: 2 },
  });

  expect(events).toMatchObject([{ web_searches: 2 }]);
});
