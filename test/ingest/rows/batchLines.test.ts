import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.000Z';
const read = (line: unknown) =>
  decodeCallLogs(Buffer.from(JSON.stringify(line)), 'application/x-ndjson', NOW);

describe('a line of the output of a batch', () => {
  const usage = { input_tokens: 1_000, output_tokens: 200 };
  const chat = { id: 'chatcmpl-BzN5Kq0Yt7aXwLr3c9VdP2mE', object: 'chat.completion', model: 'gpt-4o', usage };
  const message = { id: 'msg_01AaaaaaaaaaaaBbbbbb', type: 'message', model: 'claude-sonnet-4-5', usage };
  const gemini = {
    ...{ responseId: 'Zf0GaZ3jLPKBmecP5Yy1mQs', modelVersion: 'gemini-2.5-flash' },
    usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 200, totalTokenCount: 1_200 },
  };

  const response = { ...chat, id: 'resp_68a1f0c2d3e4b5', object: 'response' };
  const xai = (kind: string, body: object) => ({
    ...{ batch_request_id: 'a', batch_result: { response: { [kind]: body } } },
  });

  it.each<[string, Record<string, unknown>, string?]>([
    ['OpenAI', { id: 'batch_req_1', response: { body: chat } }, 'openai'],
    [
      'a server with ids of OpenAI',
      { id: 'batch_req_1', response: { body: { ...chat, model: 'llama-3.3-70b' } } },
    ],
    ['Azure', { custom_id: 'a', response: { request_id: 'b', status_code: 200, body: chat }, error: null }],
    ['Mistral', { id: 'b-0-1', custom_id: 'a', response: { status_code: 200, body: chat } }],
    ['Anthropic', { custom_id: 'a', result: { type: 'succeeded', message } }, 'anthropic'],
    ['Amazon Bedrock', { recordId: 'CALL0000001', modelInput: { prompt: 'a prompt' }, modelOutput: message }],
    ['Claude on Vertex AI', { custom_id: 'a', request: {}, response: message, status: '' }],
    ['the Gemini API', { key: 'a', response: gemini }, 'gcp.gemini'],
    ['the Gemini API, inline', { metadata: { key: 'a' }, response: gemini }, 'gcp.gemini'],
    ['xAI', xai('chat_get_completion', chat), 'xai'],
    ['xAI, of its other interface', xai('responses', response), 'xai'],
  ])(
    '%s is a call at the price of batches, and names what is missing if it has no time',
    (_, line, provider = 'unknown') => {
      expect(read({ timestamp: TIME, ...line }).events).toMatchObject([
        {
          ...{ provider, batch: true, id_basis: expect.stringMatching(/^response/) },
          ...{ input_tokens: 1_000, output_tokens: 200 },
        },
      ]);
      expect(read(line)).toMatchObject({
        events: [],
        skipped: 1,
        warnings: [expect.stringMatching(/no time/)],
      });
    },
  );

  it('has the tokens in details of its usage', () => {
    const completion_tokens_details = { reasoning_tokens: 300 };
    const thought = { ...usage, total_tokens: 1_500, completion_tokens_details };
    const line = xai('chat_get_completion', { ...chat, model: 'grok-4.3', usage: thought });

    expect(read({ timestamp: TIME, ...line })).toMatchObject({
      events: [{ output_tokens: 500, reasoning_tokens: 300 }],
      warnings: [],
    });
  });

  it('is found in an operation of the Gemini API, with the responses inline', () => {
    const inlinedResponses = { inlinedResponses: [{ metadata: { key: 'a' }, response: gemini }] };

    const found = { skipped: 0, events: [{ batch: true, occurred_at: TIME, input_tokens: 1_000 }] };

    // As the interface answers, and as the SDKs print it.
    const operation = { name: 'batches/a', metadata: { endTime: TIME }, response: { inlinedResponses } };
    const job = {
      name: 'batches/a',
      end_time: TIME,
      dest: { inlined_responses: inlinedResponses.inlinedResponses },
    };
    expect(read(operation)).toMatchObject(found);
    expect(read(job)).toMatchObject(found);
    expect(read({ ...operation, name: 'exports/a' })).toMatchObject({
      skipped: 1,
      warnings: [expect.stringMatching(/no time/)],
    });
  });

  it('is not what a provider answers of the batch, which states the sum of its lines', () => {
    const batch = { id: 'batch_1', object: 'batch', created_at: 1_793_534_400, model: 'gpt-4o', usage };

    expect(read(batch)).toMatchObject({
      events: [],
      warnings: [expect.stringMatching(/sum of several calls/)],
    });
  });

  it('of Vertex AI was called when it was processed', () => {
    const line = { status: '', processed_time: TIME, request: {}, response: gemini };

    expect(read(line).events).toMatchObject([{ batch: true, occurred_at: expect.stringContaining('2026') }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a key beside an answer of another shape', { key: 'a', response: message }],
    ['a name of the caller', { custom_id: 'a', ...message }],
  ])('is not told by %s', (_, line) => {
    expect(read({ timestamp: TIME, ...line }).events).not.toMatchObject([{ batch: true }]);
  });
});
