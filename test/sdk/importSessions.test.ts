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
  geminiMessage,
  geminiMeta,
  qwenMessage,
  qwenRequest,
  writeSessions,
} from './agentSessions.ts';
import { claudeCases } from './claudeSessions.ts';
import { codexCases } from './codexSessions.ts';
import { type Case, type Files, parentLines, usage } from './sessionCase.ts';

const NOW = Date.parse('2026-11-02T00:00:00.000Z');

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
