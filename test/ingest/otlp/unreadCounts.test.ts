import { describe, expect, it } from 'vitest';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { describeUnread } from '../../../functions/ingest/otlp/unreadUsage.ts';
import { decode, decodeJson, decodeOne, logOf, MODEL, NOW, USAGE } from './decoding.ts';
import { tracesInJson, tracesInProtobuf } from './messages.ts';

describe('token counts that make no record', () => {
  it.each([
    ['counts without a model', USAGE],
    ['counts under names of its own', { 'au.llm.usage.prompt_tokens': 1_000, 'au.llm.name': 'gpt-4o' }],
    ['counts in camel case', { 'acme.inputTokens': 7 }],
    ['counts named the other way round', { tokensIn: 7 }],
    ['only a total', { 'acme.total_tokens': 7, 'acme.model': 'gpt-4o' }],
    ['counts in one text', { token_counts: '{"prompt_tokens":16,"completion_tokens":20}', model: 'gpt-4' }],
  ])('are told with their scope: %s', (_, attributes) => {
    const { events, unread } = decodeOne(attributes);

    expect(events).toEqual([]);
    expect([...unread]).toEqual([['acme.tracer', 1]]);
    expect(describeUnread(unread, 'spans')).toEqual([
      expect.stringMatching(
        /^1 spans of scope acme\.tracer name a model, token counts or a cost and made no record\. Set /,
      ),
    ]);
  });

  // OpenLLMetry for JavaScript 0.27 reports `ConverseCommand` of Bedrock so.
  it('are told of a client span that names a model and its provider, and nothing else', () => {
    const named = { 'gen_ai.provider.name': 'aws.bedrock', 'gen_ai.request.model': 'nova-pro-v1:0' };

    expect([...decode([{ attributes: named, kind: 3 }]).unread]).toEqual([['acme.tracer', 1]]);
    expect(decode([{ attributes: named, kind: 1 }]).unread.size).toBe(0);
    expect(
      decode([{ attributes: { ...named, 'gen_ai.operation.name': 'count_tokens' }, kind: 3 }]).unread.size,
    ).toBe(0);
  });

  it('are told of Codex with where its calls are, because its spans have the sum of a turn', () => {
    const sum = { 'codex.turn.token_usage.input_tokens': 7, model: 'gpt-5.1-codex' };

    expect(describeUnread(decodeOne(sum, 'codex_exec').unread, 'spans')).toEqual([
      expect.stringMatching(/^1 spans of scope codex_exec .*log events/),
    ]);
  });

  it('are the same in protobuf, and of a log event', () => {
    const items = [{ attributes: { 'acme.prompt_tokens': 7 } }];

    expect(
      decodeTraces(tracesInProtobuf([{ scope: 'acme', items }]), 'application/x-protobuf', NOW).unread.size,
    ).toBe(1);
    expect([...logOf({ model: 'gpt-4o', 'acme.total_tokens': 7 }).unread]).toEqual([['acme.logger', 1]]);
    expect([...logOf({ model: 'gpt-4o', input_tokens: 7 }).unread]).toEqual([['acme.logger', 1]]);
  });

  it.each([
    [
      'limits',
      {
        'gen_ai.request.max_tokens': 400,
        'acme.max_output_tokens': 9,
        'token.budget': 5,
        'gen_ai.token.type': 3,
      },
    ],
    ['zeros', { 'acme.input_tokens': 0 }],
    ['no counts', { 'http.method': 'GET' }],
  ])('are not seen in %s', (_, attributes) => {
    expect(decodeOne(attributes).unread.size).toBe(0);
  });

  // Codex 0.171 puts the sum of a turn beside its model: codex-rs/core/src/tasks/mod.rs.
  it.each(
    ['acme.session', 'codex.turn', 'conversation', 'agent.thread', 'crew_tasks', 'acme.cumulative'].flatMap(
      (of) => ['usage', 'token_usage', 'tokenUsage', 'usage_metadata'].map((place) => `${of}.${place}`),
    ),
  )(
    'under %s are a sum of several calls, which makes no call and does not widen the cost of one',
    (place) => {
      const sums = {
        model: 'gpt-4o',
        [`${place}.input_tokens`]: 3_000,
        [`${place}.cached_input_tokens`]: 512,
        [`${place}.non_cached_input_tokens`]: 2_488,
        [`${place}.output_tokens`]: 600,
        [`${place}.total_tokens`]: 3_600,
      };

      expect(decodeOne(sums)).toMatchObject({ events: [], unread: new Map([['acme.tracer', 1]]) });
      expect(decodeOne({ ...sums, ...MODEL, ...USAGE }).events).toEqual(
        decodeOne({ ...MODEL, ...USAGE }).events,
      );
    },
  );

  it('are not told of a span above or below a call, which repeats it', () => {
    const call = {
      spanId: '2222222222222222',
      parentSpanId: '1111111111111111',
      attributes: { ...MODEL, ...USAGE },
    };
    const above = { spanId: '1111111111111111', attributes: USAGE };
    const below = { spanId: '3333333333333333', parentSpanId: '2222222222222222', attributes: USAGE };

    const { events, unread } = decode([above, call, below]);

    expect(events).toMatchObject([{ span_id: '2222222222222222' }]);
    expect(unread.size).toBe(0);
  });

  it('show a scope only if it can be a label, and at most 20 of them', () => {
    const secret = ['sk', 'ant', 'api03', 'a'.repeat(40)].join('-');
    const scopes = [secret, '', 'a\nb', ...Array.from({ length: 30 }, (_, index) => `scope-${index}`)];
    const { unread } = decodeJson(
      tracesInJson(scopes.map((scope) => ({ scope, items: [{ attributes: USAGE }] }))),
    );

    expect([...unread.keys()].join()).not.toContain(secret);
    expect(unread.size).toBe(21);
    expect([...unread.values()].reduce((sum, count) => sum + count, 0)).toBe(scopes.length);
  });
});
