import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.000Z';
const ID = '550e8400-e29b-41d4-a716-446655440000';
const read = (...rows: readonly unknown[]) =>
  decodeCallLogs(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')), 'application/x-ndjson', NOW);

/** A row in the columns of a gateway or a warehouse, and more that its event has. */
const ROWS: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  [
    'system.ai_gateway.usage of Databricks',
    {
      ...{ workspace_id: '1', request_id: ID, endpoint_name: 'chat', destination_model: 'gpt-4o' },
      ...{ requester: 'ann@example.org', event_time: TIME, latency_ms: 900, status_code: 200 },
      ...{ input_tokens: 1_000, output_tokens: 200, total_tokens: 1_200 },
      token_details: { cache_read_input_tokens: 400 },
    },
    { cached_input_tokens: 400, end_user: 'ann@example.org', latency_ms: 900 },
  ],
  [
    'a webhook of Helicone',
    {
      ...{ request_id: ID, user_id: 'ann', model: 'gpt-4o', provider: 'openai', created_at: TIME },
      ...{
        request_body: 'a prompt',
        response_body: 'an answer',
        request_response_url: 'https://s3.example/x',
      },
      metadata: { cost: 0.0045, promptTokens: 1_000, completionTokens: 200, totalTokens: 1_200 },
    },
    { provider: 'openai', end_user: 'ann', estimated_cost_usd: '0.0045' },
  ],
  [
    'a log of the AI Gateway of Cloudflare',
    {
      ...{
        id: '01HXYZ',
        created_at: TIME,
        model: 'gpt-4o',
        provider: 'openai',
        success: true,
        cached: false,
      },
      ...{ tokens_in: 1_000, tokens_out: 200, cost: 0.0045, custom_cost: false, path: 'chat/completions' },
    },
    { estimated_cost_usd: '0.0045' },
  ],
  [
    'an exported log of Portkey',
    {
      ...{ id: ID, created_at: TIME, ai_org: 'openai', ai_model: 'gpt-4o', is_success: true },
      ...{ req_units: 1_000, res_units: 200, total_units: 1_200, cost: 0.45, cost_currency: 'USD' },
      request: { messages: [{ content: 'a prompt' }] },
    },
    { provider: 'openai', estimated_cost_usd: '0.0045' },
  ],
  [
    'model usage of Dremio',
    {
      ...{ id: ID, user_id: 'ann', model_provider_name: 'openai', model_name: 'gpt-4o', created_at: TIME },
      ...{ input_tokens: 1_000, output_tokens: 200, duration_ms: 2_945, num_model_calls: 1 },
    },
    { end_user: 'ann', latency_ms: 2_945 },
  ],
];
const [DATABRICKS] = ROWS.map(([, row]) => row);

describe.each(ROWS)('%s', (_, row, expected) => {
  it('makes one record of a gateway, with its counts and without content', () => {
    const { events, skipped } = read(row);

    expect([skipped, events]).toMatchObject([
      0,
      [
        {
          ...{ ingestion_layer: 'gateway', occurred_at: TIME, requested_model: 'gpt-4o' },
          ...{ input_tokens: 1_000, output_tokens: 200, ...expected },
        },
      ],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/a prompt|an answer/);
    expect(read(row).events[0]?.['event_id']).toBe(events[0]?.['event_id']);
  });

  it('means the same in any case of its names', () => {
    const cased = (name: string, style: number): string =>
      [name.replaceAll(/_([a-z])/g, (__, letter: string) => letter.toUpperCase()), name.toUpperCase(), name][
        style
      ] ?? name;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), (style) => {
        const renamed = Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => !['cached', 'success', 'is_success', 'status_code'].includes(name))
            .map(([name, value]) => [cased(name, style), value]),
        );

        expect(read(renamed).events).toEqual(read(renamed).events);
        expect(read(renamed).events).toMatchObject([{ input_tokens: 1_000, output_tokens: 200 }]);
      }),
    );
  });
});

it.each<[string, Record<string, unknown>]>([
  ['without an id', { request_id: undefined }],
  ['without a time', { event_time: undefined }],
  ['without a model', { destination_model: undefined }],
  ['without counts', { input_tokens: undefined, output_tokens: 0 }],
  ['of several calls', { request_count: 3 }],
])('a row %s is skipped', (_, change) => {
  expect(read({ ...DATABRICKS, ...change })).toMatchObject({ events: [], skipped: 1 });
});

it('a row whose call failed or was answered by a cache says so', () => {
  expect(read({ ...DATABRICKS, status_code: 429 }).events).toMatchObject([{ status: 'error' }]);
  expect(read({ ...DATABRICKS, cached: true }).events).toMatchObject([
    { estimated_cost_usd: '0', cost_source: 'provider' },
  ]);
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

it('a cost without a unit is named and not read', () => {
  const [event] = read({ ...DATABRICKS, cost: 3 }).events;

  expect(event).toMatchObject({ unread_cost: 'row.cost' });
  expect(event).not.toHaveProperty('estimated_cost_usd');
});
