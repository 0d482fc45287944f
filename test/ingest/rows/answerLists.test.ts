import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.000Z';
const read = (...rows: readonly unknown[]) =>
  decodeCallLogs(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')), 'application/x-ndjson', NOW);

describe('an answer whose lists set its price', () => {
  const gemini = (more: object, usage: object = {}) => ({
    ...{ timestamp: TIME, responseId: 'mBq1aZ-0123456789abc', modelVersion: 'gemini-2.5-flash', ...more },
    usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 200, totalTokenCount: 1_200, ...usage },
  });
  const NOT_CACHED = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const claude = (...iterations: readonly object[]) => ({
    ...{ id: 'msg_01Aaaaaaaaaaaa', timestamp: TIME, model: 'claude-sonnet-4-6', provider: 'anthropic' },
    type: 'message',
    usage: {
      ...{ input_tokens: 1_000, output_tokens: 200, ...NOT_CACHED, iterations },
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    },
  });
  const usedTools = (count: number) => ({
    usage: { input_tokens: 1_000, output_tokens: 200, num_server_side_tools_used: count },
  });
  const openai = (...output: readonly object[]) => ({
    ...{ id: 'resp_0a1b2c3d4e5f60718293', object: 'response', created_at: Date.parse(TIME) / 1_000 },
    ...{ model: 'gpt-4.1', provider: 'openai', usage: { input_tokens: 1_000, output_tokens: 200 }, output },
  });
  const queries = (...webSearchQueries: readonly string[]) => [{ groundingMetadata: { webSearchQueries } }];
  const media = (modality: string, tokenCount: number) => [{ modality, tokenCount }];

  it.each<[string, Record<string, unknown>, object]>([
    [
      'searches of Gemini 3',
      gemini({ candidates: queries('a', 'b'), modelVersion: 'gemini-3-pro' }),
      { web_searches: 2 },
    ],
    ['a grounded call of Gemini 2', gemini({ candidates: queries('a', 'b') }), { web_searches: 1 }],
    [
      'audio that was read',
      gemini({}, { promptTokensDetails: media('AUDIO', 800) }),
      { audio_input_tokens: 800 },
    ],
    [
      'cached audio',
      gemini(
        {},
        {
          ...{ promptTokensDetails: media('AUDIO', 800), cachedContentTokenCount: 300 },
          cacheTokensDetails: media('AUDIO', 300),
        },
      ),
      { audio_input_tokens: 800, cached_audio_input_tokens: 300 },
    ],
    ['images', gemini({}, { candidatesTokensDetails: media('IMAGE', 150) }), { image_output_tokens: 150 }],
    [
      'summaries of the context',
      claude(
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 1_000, output_tokens: 200 },
      ),
      { input_tokens: 181_000, output_tokens: 3_700 },
    ],
    [
      'summaries of the context that were written to a cache, and read from one',
      claude({
        ...{ type: 'compaction', input_tokens: 100, output_tokens: 82 },
        ...{ cache_read_input_tokens: 2_000, cache_creation_input_tokens: 55_000 },
        cache_creation: { ephemeral_5m_input_tokens: 50_000, ephemeral_1h_input_tokens: 5_000 },
      }),
      {
        ...{ input_tokens: 58_100, cached_input_tokens: 2_000, cache_write_tokens: 55_000 },
        ...{ cache_write_1h_tokens: 5_000, output_tokens: 282 },
      },
    ],
    [
      'requests of tools, which are not those of several calls, and the tokens of another model',
      {
        ...openai(),
        tool_usage: { web_search: { num_requests: 2 }, image_gen: { output_tokens: 1_056 } },
      },
      { web_searches: 2, unread_usage: [expect.stringContaining('image_gen')] },
    ],
    ['tools that it names', { ...openai({ type: 'x_search_call' }), ...usedTools(1) }, { web_searches: 1 }],
    [
      'tools that it does not name',
      { ...openai({ type: 'x_search_call' }), ...usedTools(2) },
      { web_searches: 1, unread_usage: [expect.stringContaining('tools_used')] },
    ],
    [
      'searches of OpenAI, and not the pages that it opens',
      openai(
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
        { type: 'web_search_call', status: 'completed', action: { type: 'open_page' } },
        { type: 'web_search_call', status: 'failed' },
        { type: 'file_search_call', status: 'completed', queries: ['a'] },
        { type: 'message', content: ['a'] },
      ),
      { web_searches: 1, file_searches: 1 },
    ],
    [
      'images of a model that it does not name',
      openai({ type: 'image_generation_call', status: 'completed', result: 'a' }),
      { images: 1 },
    ],
    [
      'another model',
      claude({ type: 'advisor_message', output_tokens: 90 }),
      { unread_usage: [expect.any(String)] },
    ],
  ])('has %s', (_, row, expected) => {
    const { events } = read(row);

    expect(events).toMatchObject([expected]);
    expect(JSON.stringify(events)).not.toContain('"a"');
  });
});
