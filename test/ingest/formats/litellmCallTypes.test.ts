import { describe, expect, it } from 'vitest';
import { logBudget, readCallLog } from '../../../functions/ingest/formats/callLog.ts';
import { litellmPayload } from './logs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');

describe('a request that LiteLLM routes', () => {
  const read = (members: Record<string, unknown>) => {
    const warnings = new Set<string>();
    const log = readCallLog(
      litellmPayload(members),
      new Date(NOW).toISOString(),
      warnings,
      logBudget(10_000),
    );
    return { calls: log?.events.length, event: log?.events[0], warnings: [...warnings] };
  };

  it.each([
    ...[
      'acompletion',
      'aresponses',
      'anthropic_messages',
      'aembedding',
      'agenerate_content_stream',
      'arerank',
    ],
    ...[
      'aimage_generation',
      'aspeech',
      'atranscription',
      '_arealtime',
      '_aresponses_websocket',
      'acreate_video',
    ],
    ...['amoderation', 'aocr', 'pass_through_endpoint', 'allm_passthrough_route'],
  ])('of the type %s is a call', (call_type) => {
    expect(read({ call_type }).calls).toBe(1);
  });

  it.each([
    ...[
      'adelete_responses',
      'alist_input_items',
      'acancel_responses',
      'avideo_status',
      'avideo_retrieve',
      'alist_batches',
    ],
    ...['afile_content', 'acreate_file', 'call_mcp_tool', 'list_mcp_tools', 'avector_store_search'],
    ...[
      'acreate_container',
      'aget_thread',
      'acreate_realtime_client_secret',
      'asend_message',
      'acancel_batch',
    ],
  ])('of the type %s is none, whatever usage it repeats', (call_type) => {
    expect(read({ call_type }).calls).toBe(0);
  });

  it('of a search engine counts if it has a cost, without tokens', () => {
    const search = { call_type: 'asearch', prompt_tokens: 0, completion_tokens: 0 };

    expect(read({ ...search, response_cost: 0.008 }).calls).toBe(1);
    expect(read({ ...search, response_cost: 0 }).calls).toBe(0);
  });

  it('of a type that nobody knows is none, which is told if it has token counts', () => {
    expect(read({ call_type: 'afuture_thing' })).toMatchObject({
      calls: 0,
      warnings: [expect.stringContaining('call_type is not known')],
    });
    expect(read({ call_type: 'afuture_thing', prompt_tokens: 0, completion_tokens: 0 }).warnings).toEqual([]);
  });

  it('and reads a stored response completes its call, under any encoding of its id', () => {
    const id = 'resp_0c1f8a9e7d6b5c4a3f2e1d0c';
    const encoded = Buffer.from(`litellm:custom_llm_provider:openai;model_id:m1;response_id:${id}`);
    const created = read({ call_type: 'aresponses', id }).event;
    const poll = { call_type: 'aget_responses', id: `resp_${encoded.toString('base64')}` };

    expect(read(poll).event).toMatchObject({ event_id: created?.['event_id'], retrieval: true });
    expect(read({ ...poll, prompt_tokens: 0, completion_tokens: 0 }).calls).toBe(0);
  });
});
