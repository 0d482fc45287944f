import { describe, expect, it } from 'vitest';
import { decodeLogs } from '../../../functions/ingest/otlp/decodeExport.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Attributes, type Group, type LogInput, logsInJson, logsInProtobuf } from './messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');

const eventsOf = (groups: readonly Group<LogInput>[]): readonly Record<string, unknown>[] => {
  const json = decodeLogs(Buffer.from(JSON.stringify(logsInJson(groups))), 'application/json', NOW);
  expect(decodeLogs(logsInProtobuf(groups), 'application/x-protobuf', NOW)).toEqual(json);
  for (const event of json.events) expect(InvocationEvent.parse(event)).toEqual(event);
  return json.events;
};

const CLAUDE = {
  'event.name': 'api_request',
  'event.sequence': 4,
  'session.id': '0b5c',
  'user.email': 'ann@example.com',
  model: 'claude-sonnet-4-5',
  cost_usd: 0.0123,
  duration_ms: 1_500,
  input_tokens: 18,
  output_tokens: 386,
  cache_read_tokens: 100,
  cache_creation_tokens: 7_502,
};

describe('a log event of a coding agent', () => {
  it('of Claude Code has exclusive counts, which become inclusive', () => {
    const events = eventsOf([
      {
        resource: { 'service.name': 'claude-code', 'team.id': 'platform' },
        scope: 'com.anthropic.claude_code.events',
        items: [{ attributes: CLAUDE, body: 'claude_code.api_request' }],
      },
    ]);

    expect(events).toMatchObject([
      {
        ingestion_layer: 'otlp',
        provider: 'anthropic',
        requested_model: 'claude-sonnet-4-5',
        input_tokens: 7_620,
        cached_input_tokens: 100,
        cache_write_tokens: 7_502,
        output_tokens: 386,
        estimated_cost_usd: '0.0123',
        latency_ms: 1_500,
        occurred_at: '2026-11-01T12:00:00.500Z',
        attributed_identity: 'platform',
        end_user: 'ann@example.com',
        attributed_service: 'claude-code',
        pathway_category: 'agent_workflow',
      },
    ]);
  });

  it('of Codex is read when its response is complete', () => {
    const usage = {
      model: 'gpt-5-codex',
      input_token_count: 90,
      output_token_count: 12,
      cached_token_count: 64,
    };
    const eventOf = (kind: string) =>
      eventsOf([{ items: [{ eventName: 'codex.sse_event', attributes: { ...usage, 'event.kind': kind } }] }]);

    expect(eventOf('response.completed')).toMatchObject([
      { provider: 'openai', input_tokens: 90, cached_input_tokens: 64, output_tokens: 12 },
    ]);
    expect(eventOf('response.output_text.delta')).toEqual([]);
  });

  it('of Codex makes one event for a call, although the end of its stream is reported too', () => {
    const completed = { 'event.kind': 'response.completed', model: 'gpt-5-codex' };
    const items = [
      { eventName: 'codex.sse_event', attributes: { ...completed, duration_ms: '812' } },
      {
        eventName: 'codex.sse_event',
        // Codex sends counts as text. Its tool tokens are the total of the call.
        attributes: {
          ...completed,
          input_token_count: '90',
          output_token_count: '12',
          tool_token_count: '102',
        },
      },
    ];

    expect(eventsOf([{ items }])).toMatchObject([{ input_tokens: 90, output_tokens: 12 }]);
  });

  it('of Gemini CLI counts thoughts as output, and results of tools as input', () => {
    const attributes = {
      'event.name': 'gemini_cli.api_response',
      model: 'gemini-2.5-pro',
      input_token_count: 40,
      output_token_count: 10,
      thoughts_token_count: 5,
      tool_token_count: 7,
    };

    expect(eventsOf([{ items: [{ attributes }] }])).toMatchObject([
      { provider: 'gcp.gemini', input_tokens: 47, output_tokens: 15, reasoning_tokens: 5 },
    ]);
  });

  it.each<[string, Attributes]>([
    [
      'acme_cli.api_response',
      { input_token_count: 125, output_token_count: 7, cached_content_token_count: 100 },
    ],
    ['acme.api_request', { input_tokens: 25, output_tokens: 7, cache_read_tokens: 100 }],
    [
      'acme.sse_event',
      {
        'event.kind': 'response.completed',
        input_token_count: 125,
        output_token_count: 7,
        cached_token_count: 100,
      },
    ],
  ])('of a fork, with its own prefix in %s, is a call of any provider', (name, counts) => {
    const attributes = { 'event.name': name, model: 'acme-1', ...counts };
    const plain = Object.fromEntries(
      Object.entries(attributes).filter(([member]) => !member.includes('cache')),
    );

    expect(eventsOf([{ items: [{ attributes }] }])).toMatchObject([
      { provider: 'unknown', requested_model: 'acme-1', output_tokens: 7, cached_input_tokens: 100 },
    ]);
    // A service that logs a call under such a name has a span of it too.
    expect(eventsOf([{ items: [{ attributes: plain }] }])).toEqual([]);
  });

  it.each([
    ['claude-sonnet-4-5', 'anthropic'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws.bedrock'],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'aws.bedrock',
    ],
    ['arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123', 'aws.bedrock'],
    ['claude-sonnet-4-5@20250929', 'gcp.vertex_ai'],
  ])('of Claude Code with the model %s is a call of %s, whose cost is an estimate', (model, provider) => {
    const items = [{ attributes: { ...CLAUDE, model } }];

    expect(eventsOf([{ scope: 'com.anthropic.claude_code.events', items }])).toMatchObject([
      { provider, cost_source: 'estimate' },
    ]);
  });

  it.each([
    ['codex.sse_event', { auth_mode: 'Chatgpt' }, { provider: 'openai', billing_mode: 'subscription' }],
    ['codex.sse_event', { auth_mode: 'ApiKey' }, { provider: 'openai' }],
    [
      'gemini_cli.api_response',
      { auth_type: 'oauth-personal' },
      { provider: 'gcp.gemini', billing_mode: 'free' },
    ],
    ['gemini_cli.api_response', { auth_type: 'gemini-api-key' }, { provider: 'gcp.gemini' }],
    ['gemini_cli.api_response', { auth_type: 'vertex-ai' }, { provider: 'gcp.vertex_ai' }],
  ])('of %s with the login %j has its provider and billing mode', (name, login, expected) => {
    const usage = {
      model: 'a-model',
      input_token_count: 9,
      output_token_count: 1,
      'event.kind': 'response.completed',
    };
    const [event] = eventsOf([{ items: [{ eventName: name, attributes: { ...usage, ...login } }] }]);

    expect({ provider: event?.['provider'], billing_mode: event?.['billing_mode'] }).toEqual({
      billing_mode: undefined,
      ...expected,
    });
  });

  it('keeps its id when it is sent again, and differs from the next one', () => {
    const idOf = (attributes: Attributes) =>
      eventsOf([
        { scope: 'com.anthropic.claude_code.events', items: [{ attributes: { ...CLAUDE, ...attributes } }] },
      ])[0]?.['event_id'];

    expect(idOf({})).toBe(idOf({}));
    expect(idOf({})).not.toBe(idOf({ 'event.sequence': 5 }));
    // Agents without a sequence: calls that end in the same millisecond.
    expect(idOf({ 'event.sequence': '' })).not.toBe(idOf({ 'event.sequence': '', duration_ms: 1_501 }));
  });

  it.each([
    [
      'another event of the agent',
      { ...CLAUDE, 'event.name': 'user_prompt' },
      'com.anthropic.claude_code.events',
    ],
    ['the short name in another scope', CLAUDE, 'my.app'],
    ['a log line', { message: 'hello' }, 'my.app'],
  ])('is not read from %s', (_, attributes, scope) => {
    expect(eventsOf([{ scope, items: [{ attributes, body: 'the prompt' }] }])).toEqual([]);
  });
});
