import { describe, expect, it } from 'vitest';
import { logBudget, readCallLog } from '../../../functions/ingest/formats/callLog.ts';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { bedrockRecord } from '../formats/logs.ts';
import { type Attributes, type SpanInput, tracesInProtobuf } from './messages.ts';
import { CALL, eventOf, NOW } from './spanEvents.ts';

/** One count as producers spell it, without the place where they put it. */
const SPELLINGS: readonly (readonly [member: string, ...names: string[]])[] = [
  [
    'cached_input_tokens',
    ...[
      'cache_read.input_tokens',
      'cache_read_input_tokens',
      'cacheReadTokens',
      'cached_tokens',
      'input_cached_tokens',
    ],
    ...[
      'prompt_tokens_details.cached_tokens',
      'input_tokens_details.cached_tokens',
      'details.cache_read_tokens',
    ],
    ...[
      'inputTokenDetails.cachedTokens',
      'input_tokens.cached',
      'prompt_cache_hit_tokens',
      'cached_content_token_count',
    ],
  ],
  [
    'cache_write_tokens',
    ...[
      'cache_creation.input_tokens',
      'cacheWriteTokens',
      'prompt_details.cache_creation',
      'cache_create_input_tokens',
    ],
    ...[
      'prompt_tokens_details.cache_creation_tokens',
      'cached_write_tokens',
      'input_token_details.cache_write',
    ],
  ],
  [
    'reasoning_tokens',
    ...[
      'reasoning_tokens',
      'reasoning.output_tokens',
      'completion_tokens_details.reasoning_tokens',
      'thoughtsTokenCount',
    ],
    ...[
      'output_tokens_details.reasoning_tokens',
      'thinking_tokens',
      'completion_details.reasoning',
      'reasoningTokens',
    ],
  ],
  [
    'audio_input_tokens',
    ...['audio.input_tokens', 'input_audio_tokens', 'prompt_tokens_details.audio_tokens', 'inputAudioTokens'],
  ],
  [
    'audio_output_tokens',
    'output_audio_tokens',
    'completion_details.audio',
    'outputTokenDetails.audioTokens',
  ],
  ['image_output_tokens', 'output_image_tokens', 'image.output_tokens'],
  ['web_searches', 'web_search_requests', 'server_tool_use.web_search_requests', 'webSearchRequests'],
  ['characters', 'input_chars', 'characters', 'character_count'],
  ['audio_seconds', 'audio_seconds', 'input_audio_seconds'],
  ['pages', 'pages', 'page_count', 'pages_processed'],
  ['rerank_searches', 'search_units', 'searchUnits'],
];
const PLACES = ['gen_ai.usage', 'llm.usage', 'ai.usage', 'acme.llm.usage'];

describe('the counts of a span', () => {
  it.each(SPELLINGS)('have %s under any spelling', (member, ...spellings) => {
    const attributes = PLACES.flatMap((place) => spellings.map((name) => ({ [`${place}.${name}`]: 7 })));

    for (const one of attributes) {
      const [event] = eventOf({ ...CALL, ...one });
      expect([Object.keys(one), event?.[member], event?.['unread_usage']]).toEqual([
        Object.keys(one),
        7,
        undefined,
      ]);
    }
  });

  it.each([
    ...['prompt_tokens_details.text_tokens', 'input_text_tokens', 'cache_miss_tokens'],
    ...['prompt_details.cache_input', 'audio.cache_read.input_tokens'],
  ])('are the same with %s, which others contain', (name) => {
    const [plain, event] = [eventOf(CALL), eventOf({ ...CALL, [`gen_ai.usage.${name}`]: 7 })];

    expect(event).toEqual(plain);
  });

  it.each([
    [{ input_token_details: '{"cache_creation": 0, "ephemeral_5m_input_tokens": 7}' }, 7, undefined],
    [{ 'cache_creation.ephemeral_5m_input_tokens': 3, 'cache_creation.ephemeral_1h_input_tokens': 4 }, 7, 4],
    [{ 'cache_creation.ephemeral_5m_input_tokens': 3, 'cache_creation.input_tokens': 7 }, 7, undefined],
    [{ 'cache_creation.ephemeral_1h_input_tokens': 7 }, 7, 7],
  ])('have all cache writes of %j, which can name only their parts', (usage, all, forAnHour) => {
    const counts = Object.entries(usage).map(([name, count]) => [`gen_ai.usage.${name}`, count] as const);
    const [event] = eventOf({ ...CALL, ...Object.fromEntries<string | number>(counts) });

    expect([event?.['cache_write_tokens'], event?.['cache_write_1h_tokens']]).toEqual([all, forAnHour]);
  });

  it.each([
    // A part cannot be larger than the whole: such a producer counts cached tokens beside its input.
    [{ input: 18, read: 100, write: 7_502 }, 7_620],
    [{ input: 200, read: 100, write: 50 }, 200],
    [{ input: 0, read: 0, write: 0 }, 0],
  ])('of %j include cached tokens: %d', ({ input, read, write }, expected) => {
    const [event] = eventOf({
      ...CALL,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.cache_read.input_tokens': read,
      'gen_ai.usage.cache_creation.input_tokens': write,
    });

    expect(event).toMatchObject({
      input_tokens: expected,
      cached_input_tokens: read,
      cache_write_tokens: write,
    });
  });

  it('stay unknown when the producer does not send them', () => {
    const { 'gen_ai.usage.input_tokens': _input, 'gen_ai.usage.output_tokens': _output, ...call } = CALL;
    const [event = {}] = eventOf(call);

    expect(Object.keys(event)).not.toContain('input_tokens');
    expect(Object.keys(event)).not.toContain('output_tokens');
  });

  it.each([-1, 0.5, 'many', true])('are unknown when they are no counts: %j', (count) => {
    expect(Object.keys(eventOf({ ...CALL, 'gen_ai.usage.input_tokens': count })[0] ?? {})).not.toContain(
      'input_tokens',
    );
  });

  it.each([
    [1e-7, '0.0000001'],
    [0.1 + 0.2, '0.3'],
    [12, '12'],
    ['0.25', '0.25'],
  ])('have the cost %j as the decimal %s', (amount, expected) => {
    expect(eventOf({ ...CALL, 'gen_ai.usage.cost': amount })).toMatchObject([
      { estimated_cost_usd: expected },
    ]);
  });

  it.each([
    [{}, 'estimate'],
    [{ 'gen_ai.usage.cost.source': 'local' }, 'estimate'],
    [{ 'gen_ai.usage.cost.source': 'provider' }, 'provider'],
  ])('have a cost that is an estimate unless the provider is its source: %j', (source, expected) => {
    expect(eventOf({ ...CALL, 'gen_ai.usage.cost': 1, ...source })).toMatchObject([
      { cost_source: expected },
    ]);
  });

  it('have no cost in another currency or below zero', () => {
    const euro = { 'gen_ai.usage.cost.amount': 1.5, 'gen_ai.usage.cost.currency': 'EUR' };

    for (const cost of [euro, { 'gen_ai.usage.cost': -0.5 }]) {
      expect(Object.keys(eventOf({ ...CALL, ...cost })[0] ?? {})).not.toContain('estimated_cost_usd');
    }
  });
});

describe('the id of an event', () => {
  const idOf = (attributes: Attributes, span: SpanInput = {}) => eventOf(attributes, span)[0]?.['event_id'];
  const other = { spanId: 'ffffffffffffffff' };

  it('is that of the span, so a repeated export adds nothing', () => {
    expect(idOf(CALL)).toBe(idOf({ ...CALL, 'gen_ai.usage.input_tokens': 1 }));
    expect(idOf(CALL)).not.toBe(idOf(CALL, other));
  });

  it('is that of the response where the provider names one, so two observers make one record', () => {
    const observed = { ...CALL, 'gen_ai.response.id': 'chatcmpl-AbCdEfGh123456789' };

    expect(idOf(observed)).toBe(idOf(observed, other));
  });

  it.each([
    ['no trace id', { traceId: '' }],
    ['no span id', { spanId: '' }],
    ['a trace id of zeros', { traceId: '0'.repeat(32) }],
  ])('does not exist with %s, so the call is rejected', (_, ids) => {
    const decode = (attributes: Attributes) =>
      decodeTraces(tracesInProtobuf([{ items: [{ ...ids, attributes }] }]), 'application/x-protobuf', NOW);

    expect(decode(CALL)).toMatchObject({ events: [], unidentified: 1 });
    expect(decode({ ...CALL, 'gen_ai.response.id': 'chatcmpl-AbCdEfGh123456789' }).events).toHaveLength(1);
  });

  it('is that of the request at AWS, which the log of Bedrock has, before that of the response', () => {
    const requestId = '5f2a1d0c-8c1e-4a53-9f0a-2f2f6d0b9e11';
    const both = {
      ...CALL,
      'gen_ai.response.id': 'msg_bdrk_01AbCdEfGh123456789',
      'aws.request_id': requestId,
    };
    const [logged] =
      readCallLog(bedrockRecord({ requestId }), '2026-11-01T12:00:10.000Z', new Set(), logBudget(1_000))
        ?.events ?? [];

    expect(idOf(both)).toBe(logged?.['event_id']);
  });

  it('is that of a long response id as a whole', () => {
    const ids = ['a', 'b'].map((end) =>
      idOf({ ...CALL, 'gen_ai.response.id': `resp_${'x'.repeat(300)}${end}` }),
    );

    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is that of the span when the response id is too short to be unique', () => {
    const numbered = { ...CALL, 'gen_ai.response.id': 'chatcmpl-917' };

    expect(idOf(numbered)).not.toBe(idOf(numbered, other));
  });
});
