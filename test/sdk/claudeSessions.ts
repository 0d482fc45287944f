import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { CONTENT, claudeLine } from './agentSessions.ts';
import { type Case, usage } from './sessionCase.ts';

const CLAUDE = {
  input_tokens: 21_004,
  cached_input_tokens: 20_000,
  cache_write_tokens: 1_000,
  output_tokens: 300,
};
const OTHER = {
  id: 'msg_01Bbbbbbbbbbbbbbbbbbbbbb',
};
const REQUEST = 'req_011CTaaaaaaaaaaaaaaaaaaa';

export const claudeCases: readonly Case[] = [
  [
    'one answer',
    { 'p/a.jsonl': [claudeLine({})] },
    [
      {
        event_id: eventIdOfCall(REQUEST),
        id_basis: 'response.msg',
        call_ids: ['msg_01Aaaaaaaaaaaaaaaaaaaaaa'],
        ingestion_layer: 'session_file',
        source_system: 'claude-code',
        provider: 'anthropic',
        requested_model: 'claude-sonnet-4-5-20250929',
        ...CLAUDE,
        cache_write_1h_tokens: 1_000,
        service_tier: 'standard',
      },
    ],
  ],
  [
    'an answer of several lines once, with the counts of its last one and the time of its first',
    {
      'p/a.jsonl': [
        claudeLine({ stop_reason: null }, {}, usage(1)),
        claudeLine({ stop_reason: null }, { timestamp: '2026-11-01T10:00:02.000Z' }, usage(1)),
        claudeLine({}, { timestamp: '2026-11-01T10:00:04.000Z' }, usage(250)),
      ],
    },
    [{ input_tokens: 10, output_tokens: 250, ingestion_timestamp: '2026-11-01T10:00:00.000Z' }],
  ],
  [
    'an answer whose end was never written as incomplete, with a range of costs',
    { 'p/a.jsonl': [claudeLine({ stop_reason: null }, {}, usage(1))] },
    [{ output_tokens: 1, status: 'incomplete', unread_usage: ['output_tokens_after_last_line'] }],
  ],
  [
    'the copies of a continued session once',
    {
      'p/a.jsonl': [claudeLine({})],
      'p/b.jsonl': [
        claudeLine({}, { sessionId: 'b' }),
        claudeLine(OTHER, { sessionId: 'b', requestId: 'req_011CTbbbbbbbbbbbbbbbbbbb' }),
      ],
    },
    [CLAUDE, CLAUDE],
  ],
  [
    'a side chain that repeats an answer under another request once, and its own answers',
    {
      'p/s/subagents/x.jsonl': [
        claudeLine({}, { isSidechain: true, requestId: 'req_011CTzzzzzzzzzzzzzzzzzzz' }, usage(900)),
        claudeLine(OTHER, { isSidechain: true, requestId: 'req_011CTyyyyyyyyyyyyyyyyyyy' }),
      ],
      'p/s.jsonl': [claudeLine({})],
    },
    [
      { event_id: eventIdOfCall(REQUEST), ...CLAUDE },
      { event_id: eventIdOfCall('req_011CTyyyyyyyyyyyyyyyyyyy'), ...CLAUDE },
    ],
  ],
  [
    'two answers with equal counts, and a retry that was answered',
    { 'p/a.jsonl': [claudeLine({}), claudeLine(OTHER, { requestId: 'req_011CTbbbbbbbbbbbbbbbbbbb' })] },
    [CLAUDE, CLAUDE],
  ],
  [
    'no errors, no made-up answers, no lines without usage, and no lines that are cut off',
    {
      'p/a.jsonl': `${[
        claudeLine({}, { isApiErrorMessage: true }, usage(0, { input_tokens: 0 })),
        claudeLine({ model: '<synthetic>' }),
        claudeLine({}, {}, usage(0, { input_tokens: 0 })),
        { type: 'user', message: { role: 'user', content: `"usage" ${CONTENT}` } },
        { type: 'assistant', timestamp: '2026-11-01T10:00:00.000Z', message: 'usage' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')}\n{"type":"assistant","message":{"usage":{"input_tokens":4`,
    },
    [],
  ],
  [
    'the tokens of a compaction, which the counts above leave out, and a model that advised',
    {
      'p/a.jsonl': [
        claudeLine(
          {},
          {},
          usage(1_000, {
            input_tokens: 23_000,
            iterations: [
              { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
              { type: 'advisor_message', model: 'claude-opus-4-6', input_tokens: 5, output_tokens: 6 },
              { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
            ],
          }),
        ),
      ],
    },
    [{ input_tokens: 203_000, output_tokens: 4_500, unread_usage: ['advisor_message_tokens=11'] }],
  ],
  [
    'what sets the price: fast mode, searches, where data stay',
    {
      'p/a.jsonl': [
        claudeLine(
          {},
          {},
          usage(5, {
            speed: 'fast',
            service_tier: 'standard',
            inference_geo: 'us',
            server_tool_use: { web_search_requests: 3, web_fetch_requests: 9, other_requests: 1 },
          }),
        ),
      ],
    },
    [{ service_tier: 'fast', region: 'us', web_searches: 3, unread_usage: ['other_requests=1'] }],
  ],
  [
    'the providers behind Claude Code by the ids of their answers',
    {
      'p/a.jsonl': [
        claudeLine({ id: 'msg_bdrk_01Aaaaaaaaaaaaaaaa' }, { requestId: null }),
        claudeLine({ id: 'msg_vrtx_01Aaaaaaaaaaaaaaaa' }, { requestId: null }),
        claudeLine({ id: 'chatcmpl-aaaaaaaaaaaaaaaa', model: 'glm-4.6' }, { requestId: null }),
      ],
    },
    [
      { provider: 'aws.bedrock', event_id: eventIdOfCall('msg_bdrk_01Aaaaaaaaaaaaaaaa') },
      { provider: 'gcp.vertex_ai' },
      { provider: 'unknown', requested_model: 'glm-4.6' },
    ],
  ],
  [
    'answers of small servers, whose ids repeat, by session and request',
    {
      'p/a.jsonl': [
        claudeLine({ id: 'msg_1' }, { requestId: undefined, uuid: 'u1' }),
        claudeLine({ id: 'msg_1' }, { requestId: undefined, uuid: 'u2', sessionId: 'other' }),
      ],
    },
    [{ id_basis: 'observation' }, { id_basis: 'observation' }],
  ],
];
