import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkEvent } from '../../functions/ingest/events/checkEvent.ts';
import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { eventOf } from '../../sdk/cli/src/agentLogs/localCall.ts';
import {
  type Agent,
  claudeCode,
  codex,
  findSessionFiles,
  gemini,
  qwenCode,
  readSessions,
} from '../../sdk/cli/src/agentLogs/sessionFiles.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import {
  CONTENT,
  claudeLine,
  codexCount,
  codexMeta,
  codexRecord,
  codexTurn,
  codexUsage,
  geminiMessage,
  geminiMeta,
  qwenMessage,
  qwenRequest,
  writeSessions,
} from './agentSessions.ts';

const NOW = Date.parse('2026-11-02T00:00:00.000Z');
type Files = Parameters<typeof writeSessions>[1];

/** The events of the calls in session files, in order of time. */
const eventsIn = async (agent: Agent, files: Files, now = NOW) => {
  const folder = temporaryDirectory();
  writeSessions(folder, files);
  const { calls, unread } = await readSessions(agent, findSessionFiles([folder]), now);
  expect(unread).toEqual([]);
  const events = await Promise.all(
    calls
      .filter(({ isInProgress }) => isInProgress !== true)
      .toSorted((one, other) => one.at - other.at)
      .map((call) => eventOf(call, agent.name, {})),
  );
  expect(JSON.stringify(events)).not.toContain(CONTENT);
  for (const event of events) {
    expect(checkEvent(event, now)).toMatchObject({ errors: null, dropped: { scrubbed: [] } });
  }
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  return events;
};

type Case = readonly [title: string, files: Files, expected: readonly object[]];

const CLAUDE = {
  input_tokens: 21_004,
  cached_input_tokens: 20_000,
  cache_write_tokens: 1_000,
  output_tokens: 300,
};
const usage = (output: number, more: object = {}) => ({ input_tokens: 10, output_tokens: output, ...more });
const OTHER = {
  id: 'msg_01Bbbbbbbbbbbbbbbbbbbbbb',
};
const REQUEST = 'req_011CTaaaaaaaaaaaaaaaaaaa';

const claudeCases: readonly Case[] = [
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
    [{ input_tokens: 203_000, output_tokens: 4_500, unread_usage: ['advisor_message'] }],
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
    [{ service_tier: 'fast', region: 'us', web_searches: 3, unread_usage: ['other_requests'] }],
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

const T = (second: number): string => `2026-11-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const [FIRST, SECOND, THIRD] = [
  [codexUsage(1_000, 600, 100, 40), codexUsage(1_000, 600, 100, 40)],
  [codexUsage(2_500, 1_600, 150, 50), codexUsage(1_500, 1_000, 50, 10)],
  [codexUsage(4_500, 3_000, 350, 150), codexUsage(2_000, 1_400, 200, 100)],
] as const;
const PARENT = '019a0000-0000-7000-8000-000000000001';
const parentLines = [
  codexMeta(PARENT, T(0)),
  codexTurn(T(1), 'gpt-5.2-codex'),
  codexCount(T(5), ...FIRST),
  codexCount(T(9), ...SECOND),
];
const forkOf = (more: object, at: number, ...own: readonly object[]) => [
  codexMeta('019a0000-0000-7000-8000-000000000002', T(at), more),
  codexMeta(PARENT, T(at)),
  codexTurn(T(at), 'gpt-5.2-codex'),
  codexCount(T(at), ...FIRST),
  codexCount(T(at), ...SECOND),
  ...own,
];
const CODEX = [
  { input_tokens: 1_000, cached_input_tokens: 600, output_tokens: 100, reasoning_tokens: 40 },
  { input_tokens: 1_500, cached_input_tokens: 1_000, output_tokens: 50, reasoning_tokens: 10 },
  { input_tokens: 2_000, cached_input_tokens: 1_400, output_tokens: 200, reasoning_tokens: 100 },
] as const;

const codexCases: readonly Case[] = [
  [
    'the answers of a thread, not its sums, and each once, however often the event is repeated',
    {
      'rollout-a.jsonl': [
        ...parentLines,
        codexCount(T(10), ...SECOND),
        codexCount(T(11), ...SECOND),
        codexCount(T(12), ...THIRD),
      ],
    },
    [
      { ...CODEX[0], provider: 'openai', requested_model: 'gpt-5.2-codex', id_basis: 'observation' },
      ...CODEX.slice(1),
    ],
  ],
  [
    'two answers with equal counts',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexCount(T(2), codexUsage(10, 0, 5), codexUsage(10, 0, 5)),
        codexCount(T(4), codexUsage(20, 0, 10), codexUsage(10, 0, 5)),
      ],
    },
    [
      { requested_model: 'unknown', input_tokens: 10 },
      { requested_model: 'unknown', input_tokens: 10 },
    ],
  ],
  [
    'sums only, as the difference of two',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexCount(T(2), FIRST[0], {}),
        codexCount(T(3), FIRST[0], {}),
        codexCount(T(4), SECOND[0], {}),
      ],
    },
    CODEX.slice(0, 2),
  ],
  [
    'the usage that a fork copied from its thread once',
    {
      'a/rollout-a.jsonl': parentLines,
      'b/rollout-b.jsonl': forkOf({ forked_from_id: PARENT }, 30, codexCount(T(40), ...THIRD)),
    },
    CODEX,
  ],
  [
    'the usage that a sub-agent copied from a thread whose file is gone not at all',
    {
      'b/rollout-b.jsonl': forkOf(
        { source: { subagent: { thread_spawn: { parent_thread_id: PARENT, depth: 1 } } } },
        30,
        codexCount(T(40), ...THIRD),
      ),
    },
    CODEX.slice(2),
  ],
  [
    'two threads that began alike',
    {
      'a/rollout-a.jsonl': parentLines,
      'b/rollout-b.jsonl': [
        codexMeta('019a0000-0000-7000-8000-000000000009', T(20)),
        codexTurn(T(21), 'gpt-5.2-codex'),
        codexCount(T(25), ...FIRST),
      ],
    },
    [...CODEX.slice(0, 2), CODEX[0]],
  ],
  [
    'a session and its archived copy once',
    { 'sessions/rollout-a.jsonl': parentLines, 'archived_sessions/rollout-a.jsonl': parentLines },
    CODEX.slice(0, 2),
  ],
  [
    'the records of answers by their ids, and not the sums beside them',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexTurn(T(1), 'gpt-6-sol'),
        codexRecord(
          T(5),
          'resp_0aaaaaaaaaaaaaaaaaaa',
          { ...FIRST[1], cache_write_input_tokens: 300 },
          FIRST[0],
        ),
        codexCount(T(5), ...FIRST),
      ],
    },
    [
      {
        ...CODEX[0],
        cache_write_tokens: 300,
        event_id: eventIdOfCall('resp_0aaaaaaaaaaaaaaaaaaa'),
        id_basis: 'response.resp',
      },
    ],
  ],
  [
    'what a plan of ChatGPT pays as a subscription, and another provider',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0), { model_provider: 'azure' }),
        codexCount(T(2), ...FIRST, 'pro'),
      ],
    },
    [{ billing_mode: 'subscription', provider: 'azure' }],
  ],
  [
    'no events without usage, with odd members, or cut off',
    {
      'rollout-a.jsonl': `${[
        codexMeta(PARENT, T(0)),
        { timestamp: T(1), type: 'event_msg', payload: { type: 'token_count', info: null } },
        { timestamp: T(1), type: 'event_msg', payload: ['token_count'] },
        { timestamp: 7, type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: [] } } },
        codexCount(T(3), codexUsage(-5, 0, 0), { input_tokens: '12' }),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')}\n{"type":"event_msg","payload":{"type":"token_count"`,
    },
    [],
  ],
];

const [ID, ID2] = ['0f4f5a7e-0000-4000-8000-00000000000a', '0f4f5a7e-0000-4000-8000-00000000000b'];
const tokens = { input: 15_000, output: 20, cached: 11_000, thoughts: 900, tool: 0, total: 15_920 };
const GEMINI = {
  provider: 'gcp.gemini',
  requested_model: 'gemini-2.5-pro',
  input_tokens: 15_000,
  cached_input_tokens: 11_000,
  output_tokens: 920,
  reasoning_tokens: 900,
};

const geminiCases: readonly Case[] = [
  [
    'an answer once, which is appended again with its tokens and with those of its tools',
    {
      'p/chats/session-a.jsonl': [
        geminiMeta,
        geminiMessage(ID, null),
        geminiMessage(ID, tokens),
        geminiMessage(ID, tokens, { toolCalls: [{ args: CONTENT }] }),
        { $set: { lastUpdated: '2026-11-01T10:01:00.000Z' } },
        { $rewindTo: ID },
        geminiMessage(ID2, { ...tokens, tool: 7, total: 15_927 }),
      ],
    },
    [GEMINI, { ...GEMINI, input_tokens: 15_007 }],
  ],
  [
    'an older session, which is one document, and its copy in the newer form once',
    {
      'p/chats/session-a.json': JSON.stringify(
        { ...geminiMeta, messages: [geminiMessage(ID, tokens)] },
        null,
        2,
      ),
      'p/chats/session-a.jsonl': [geminiMeta, geminiMessage(ID, tokens)],
      'p/logs.json': JSON.stringify([{ sessionId: 'a', message: CONTENT }]),
    },
    [GEMINI],
  ],
  [
    'the messages that replace a history',
    { 'p/chats/session-a.jsonl': [geminiMeta, { $set: { messages: [geminiMessage(ID, tokens)] } }] },
    [GEMINI],
  ],
  ...(
    [
      ['thinking within the output', { total: 15_020 }, { output_tokens: 20, reasoning_tokens: 20 }],
      ['cached tokens beside the input', { total: 26_920 }, { input_tokens: 26_000, output_tokens: 920 }],
      ['no total', { total: 0 }, { input_tokens: 15_000, output_tokens: 920 }],
    ] as const
  ).map(
    ([title, change, expected]): Case => [
      title,
      { 'p/chats/session-a.jsonl': [geminiMessage(ID, { ...tokens, ...change })] },
      [expected],
    ],
  ),
];

const QWEN = {
  provider: 'unknown',
  requested_model: 'qwen3-coder-plus',
  input_tokens: 10_000,
  cached_input_tokens: 8_000,
  output_tokens: 500,
  reasoning_tokens: 100,
};

const qwenCases: readonly Case[] = [
  [
    'a request by the id of its response, and not the message that repeats it',
    { 'p/chats/a.jsonl': [qwenMessage('u1'), qwenRequest('u2')] },
    [{ ...QWEN, event_id: eventIdOfCall('chatcmpl-8f3b1c2d4e5f'), id_basis: 'response.chatcmpl' }],
  ],
  [
    'the requests of sub-agents, whose messages are in files of their own',
    {
      'p/chats/a.jsonl': [qwenRequest('u1'), qwenRequest('u2', { response_id: 'chatcmpl-of-a-sub-agent' })],
      'p/subagents/a/x.jsonl': [qwenMessage('u3', {}, { isSidechain: true, agentId: 'explore-1' })],
    },
    [QWEN, QWEN],
  ],
  [
    'the messages of a version without requests',
    { 'p/chats/a.jsonl': [qwenMessage('u1'), qwenMessage('u2')] },
    [QWEN, QWEN],
  ],
  [
    'the copies of a branch once, and its own requests',
    {
      'p/chats/a.jsonl': [qwenMessage('u1'), qwenRequest('u2')],
      'p/chats/b.jsonl': [
        qwenMessage('u1', {}, { sessionId: 'b' }),
        qwenRequest('u2', {}, { sessionId: 'b' }),
        qwenRequest('u4', { response_id: 'chatcmpl-of-the-branch' }, { sessionId: 'b' }),
      ],
    },
    [QWEN, QWEN],
  ],
  [
    'thoughts beside the output, as Gemini counts, by the total',
    {
      'p/chats/a.jsonl': [
        qwenRequest('u1', { auth_type: 'gemini', model: 'gemini-2.5-pro', total_token_count: 10_600 }),
      ],
    },
    [{ provider: 'gcp.gemini', output_tokens: 600, reasoning_tokens: 100 }],
  ],
  [
    'a free login as free',
    { 'p/chats/a.jsonl': [qwenRequest('u1', { auth_type: 'qwen-oauth', model: 'coder-model' })] },
    [{ provider: 'dashscope', requested_model: 'coder-model', billing_mode: 'free' }],
  ],
  [
    'no errors, tools, or lines without counts',
    {
      'p/chats/a.jsonl': [
        qwenRequest('u1', { 'event.name': 'qwen-code.api_error' }),
        qwenRequest('u2', { input_token_count: 0, output_token_count: 0, thoughts_token_count: 0 }),
        qwenMessage('u3', { promptTokenCount: 0, candidatesTokenCount: 0, thoughtsTokenCount: 0 }),
        qwenMessage('u4', {}, { type: 'user' }),
        qwenMessage('u5', {}, { timestamp: 'soon' }),
      ],
    },
    [],
  ],
];

describe.each([
  { title: 'Claude Code', agent: claudeCode, cases: claudeCases },
  { title: 'Codex', agent: codex, cases: codexCases },
  { title: 'Gemini CLI', agent: gemini, cases: geminiCases },
  { title: 'Qwen Code', agent: qwenCode, cases: qwenCases },
])('the sessions of $title', ({ agent, cases }) => {
  it.each(cases)('are read with %s', async (_title, files, expected) => {
    const events = await eventsIn(agent, files);
    expect(events).toMatchObject(expected);
    expect(events).toEqual(await eventsIn(agent, files, NOW + 3_600_000));
  });
});

it('leaves an answer in progress to the next import', async () => {
  const files = { 'p/a.jsonl': [claudeLine({ stop_reason: null }, {}, usage(1))] };
  expect(await eventsIn(claudeCode, files, Date.parse('2026-11-01T10:05:00.000Z'))).toEqual([]);
});

it('reads compressed sessions, and goes on after a file that cannot be read', async () => {
  const folder = temporaryDirectory();
  const lines = parentLines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(folder, 'rollout-a.jsonl.zst'), zstdCompressSync(lines));
  writeFileSync(join(folder, 'rollout-b.jsonl.zst'), 'no zstd');

  const { calls, unread } = await readSessions(codex, findSessionFiles([folder]), NOW);
  expect(calls).toHaveLength(2);
  expect(unread).toEqual([join(folder, 'rollout-b.jsonl.zst')]);
});

it.each([
  ['Claude Code', claudeCode, {}, ['/home/ann/.config/claude/projects', '/home/ann/.claude/projects']],
  ['Claude Code', claudeCode, { CLAUDE_CONFIG_DIR: '/a,/b/projects' }, ['/a/projects', '/b/projects']],
  ['Codex', codex, {}, ['/home/ann/.codex/sessions', '/home/ann/.codex/archived_sessions']],
  ['Codex', codex, { CODEX_HOME: '/a' }, ['/a/sessions', '/a/archived_sessions']],
  ['Gemini CLI', gemini, {}, ['/home/ann/.gemini/tmp']],
  ['Qwen Code', qwenCode, {}, ['/home/ann/.qwen/projects']],
  ['Qwen Code', qwenCode, { QWEN_RUNTIME_DIR: '/a' }, ['/a/projects']],
])('looks for the sessions of %s where it keeps them', (_title, { folders }, env, expected) => {
  expect(folders({ HOME: '/home/ann', ...env })).toEqual(expected);
});
