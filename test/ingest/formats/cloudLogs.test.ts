import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { apiManagementRow, litellmPayload, vertexRow } from './logs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const decode = (body: unknown) => decodeCallLogs(Buffer.from(JSON.stringify(body)), 'application/json', NOW);
/** The valid event of a log with one call. */
const eventOf = (body: unknown) => {
  const { events, skipped } = decode(body);
  expect([events.length, skipped]).toEqual([1, 0]);
  const { event, errors } = checkEvent(events[0], NOW);
  expect(errors).toBeNull();
  return event;
};

describe('a row of the request-response log of Vertex AI', () => {
  it('becomes an event with all input and output tokens, and the owner and service in its labels', () => {
    expect(eventOf(vertexRow())).toEqual({
      event_id: ID,
      id_basis: 'response',
      ingestion_layer: 'provider_log',
      source_system: 'vertex_ai',
      ingestion_timestamp: '2026-11-01T12:00:10.000Z',
      occurred_at: '2026-11-01T12:00:00.123Z',
      provider: 'gcp.vertex_ai',
      requested_model: 'gemini-2.5-flash',
      served_model: 'gemini-2.5-flash-001',
      operation: 'chat',
      region: 'europe-west4',
      input_tokens: 4_300,
      cached_input_tokens: 3_000,
      output_tokens: 400,
      reasoning_tokens: 80,
      attributed_identity: 'team-search',
      attributed_service: 'knowledge-search',
      tags: ['team:team-search', 'service:knowledge-search'],
    });
  });

  it.each([
    '2026-11-01 12:00:00.123456 UTC',
    '2026-11-01 12:00:00.123456',
    '2026-11-01T12:00:00.123456Z',
    '2026-11-01T12:00:00.123Z',
  ])('has its time in UTC, written as %s', (logging_time) => {
    expect(eventOf(vertexRow({ logging_time }))?.occurred_at).toBe('2026-11-01T12:00:00.123Z');
  });

  it('may have its JSON columns as text', () => {
    const { full_request, full_response } = vertexRow();
    const asText = {
      full_request: JSON.stringify(full_request),
      full_response: JSON.stringify(full_response),
    };

    expect(eventOf(vertexRow(asText))).toEqual(eventOf(vertexRow()));
    expect(eventOf(vertexRow({ full_response: '{"cut off' }))?.input_tokens).toBeUndefined();
  });

  it('of a streamed call has the counts of the last part', () => {
    const { full_response } = vertexRow();
    const first = { candidates: [], responseId: full_response.responseId };

    expect(eventOf(vertexRow({ full_response: [first, full_response] }))).toEqual(eventOf(vertexRow()));
  });

  it('of Claude has its cached tokens in the input tokens', () => {
    const claude = vertexRow({
      endpoint: 'projects/1/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929',
      model: null,
      full_response: {
        id: 'msg_vrtx_01XFDUDYJgAACzvnptvVoYEL',
        usage: {
          input_tokens: 18,
          cache_creation_input_tokens: 7_502,
          cache_read_input_tokens: 0,
          output_tokens: 386,
        },
      },
    });

    expect(eventOf(claude)).toMatchObject({
      requested_model: 'claude-sonnet-4-5@20250929',
      region: 'us-east5',
      input_tokens: 7_520,
      cache_write_tokens: 7_502,
      output_tokens: 386,
    });
  });

  it('of Claude has its cache writes for an hour and its web searches apart', () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 20_000,
      cache_creation: { ephemeral_5m_input_tokens: 5_000, ephemeral_1h_input_tokens: 15_000 },
      server_tool_use: { web_search_requests: 3 },
      output_tokens: 100,
    };

    expect(
      eventOf(vertexRow({ full_response: { id: 'msg_vrtx_01XFDUDYJgAACzvnptvVoYEL', usage } })),
    ).toMatchObject({
      input_tokens: 20_010,
      cache_write_tokens: 20_000,
      cache_write_1h_tokens: 15_000,
      web_searches: 3,
    });
  });

  it('of Gemini has its audio and image tokens apart', () => {
    const usageMetadata = {
      promptTokenCount: 1_500,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 100 },
        { modality: 'AUDIO', tokenCount: 1_400 },
      ],
      candidatesTokenCount: 1_290,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
    };

    expect(eventOf(vertexRow({ full_response: { usageMetadata } }))).toMatchObject({
      input_tokens: 1_500,
      audio_input_tokens: 1_400,
      output_tokens: 1_290,
      image_output_tokens: 1_290,
    });
  });

  it('counts a part beside the whole when it is larger', () => {
    const usageMetadata = {
      promptTokenCount: 10,
      promptTokensDetails: [
        { modality: 'AUDIO', tokenCount: 8 },
        { modality: 'IMAGE', tokenCount: 8 },
      ],
      candidatesTokenCount: 5,
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 50 }],
    };

    expect(eventOf(vertexRow({ full_response: { usageMetadata } }))).toMatchObject({
      input_tokens: 26,
      audio_input_tokens: 8,
      image_input_tokens: 8,
      output_tokens: 55,
      audio_output_tokens: 50,
    });
  });

  it('without counts is a call with unknown tokens, and a failed one is an error', () => {
    const failed = eventOf(vertexRow({ full_response: { error: { code: 429 } } }));

    expect(failed).toMatchObject({ status: 'error', requested_model: 'gemini-2.5-flash' });
    expect(failed?.input_tokens).toBeUndefined();
  });

  it('is the same call when it is sent again, also without its content', () => {
    const { labels } = vertexRow().full_request;
    const again = vertexRow({ full_request: { labels }, request_payload: [], response_payload: [] });

    expect(eventOf(again)).toEqual(eventOf(vertexRow()));
  });
});

describe('a row of the language model log of Azure API Management', () => {
  it('becomes an event with its deployment and its subscription', () => {
    expect(eventOf(apiManagementRow())).toEqual({
      event_id: ID,
      id_basis: 'response.chatcmpl',
      ingestion_layer: 'gateway',
      source_system: 'azure_api_management',
      ingestion_timestamp: '2026-11-01T12:00:10.000Z',
      occurred_at: '2026-11-01T12:00:00.123Z',
      provider: 'azure.ai.openai',
      requested_model: 'gpt-4o-2024-11-20',
      operation: 'chat',
      region: 'swedencentral',
      input_tokens: 1_200,
      output_tokens: 180,
      attributed_identity: 'checkout',
      tags: ['deployment:checkout-4o'],
    });
  });

  it('may have its counts as text, and come in a message of Event Hubs', () => {
    const asText = apiManagementRow({ PromptTokens: '1200', CompletionTokens: '180' });

    expect(eventOf({ records: [asText] })).toEqual(eventOf(apiManagementRow()));
  });

  it('with a part of the messages is skipped, because another row has the counts of the call', () => {
    const part = {
      SequenceNumber: 1,
      ModelName: '',
      DeploymentName: '',
      PromptTokens: 0,
      CompletionTokens: 0,
    };

    expect(decode([apiManagementRow(), apiManagementRow(part)])).toMatchObject({
      events: { length: 1 },
      skipped: 1,
    });
  });

  it('is the same call as the one that an application reports with the response id', () => {
    expect(eventOf(apiManagementRow())?.event_id).toBe(eventOf(litellmPayload())?.event_id);
  });

  it('without a response id is identified by its correlation id', () => {
    const idOf = (members: object) => eventOf(apiManagementRow({ RequestId: '', ...members }))?.event_id;

    expect(idOf({ Region: 'West Europe' })).toBe(idOf({}));
    expect(idOf({ CorrelationId: '00000000-0000-4000-8000-000000000001' })).not.toBe(idOf({}));
  });
});
