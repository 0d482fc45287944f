import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Content as a session file holds it. None of it may leave the machine. */
export const CONTENT = 'THE-TEXT-OF-A-PROMPT';

type Lines = readonly object[];
const jsonLines = (lines: Lines): string => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

/** Writes session files below a folder, by their paths. */
export const writeSessions = (folder: string, files: Readonly<Record<string, Lines | string>>): void => {
  for (const [path, lines] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof lines === 'string' ? lines : jsonLines(lines));
  }
};

/** One line of Claude Code, which has a content block of an answer and the counts so far. */
export const claudeLine = (
  message: object,
  line: object = {},
  usage: object = {
    input_tokens: 4,
    cache_creation_input_tokens: 1_000,
    cache_read_input_tokens: 20_000,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000 },
    output_tokens: 300,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
  },
): object => ({
  type: 'assistant',
  sessionId: '0b54cf0e-1111-4222-8333-444455556666',
  cwd: `/home/ann/${CONTENT}`,
  timestamp: '2026-11-01T10:00:00.000Z',
  requestId: 'req_011CTaaaaaaaaaaaaaaaaaaa',
  isSidechain: false,
  uuid: 'c1e4b0aa-0000-4000-8000-000000000001',
  message: {
    id: 'msg_01Aaaaaaaaaaaaaaaaaaaaaa',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'text', text: CONTENT }],
    stop_reason: 'end_turn',
    usage,
    ...message,
  },
  ...line,
});

export const codexUsage = (input: number, cached: number, output: number, reasoning = 0): object => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});

export const codexMeta = (id: string, timestamp: string, more: object = {}): object => ({
  timestamp,
  type: 'session_meta',
  payload: { id, timestamp, cwd: `/home/ann/${CONTENT}`, model_provider: 'openai', ...more },
});

export const codexTurn = (timestamp: string, model: string): object => ({
  timestamp,
  type: 'turn_context',
  payload: { cwd: '/home/ann', model, summary: 'auto', user_instructions: CONTENT },
});

/** The event with the sums of a thread and the usage of its last answer. */
export const codexCount = (timestamp: string, total: object, last: object, plan?: string): object => ({
  timestamp,
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: { total_token_usage: total, last_token_usage: last, model_context_window: 258_400 },
    rate_limits: plan === undefined ? null : { primary: { used_percent: 3 }, plan_type: plan },
  },
});

/** The usage of one answer, which newer versions write. */
export const codexRecord = (timestamp: string, response: string, usage: object, total: object): object => ({
  timestamp,
  type: 'token_usage_record',
  payload: { thread_id: 't', turn_id: 'u', response_id: response, usage, thread_token_usage: total },
});

export const geminiMeta = {
  sessionId: '7d3c6b1e-aaaa-4bbb-8ccc-ddddeeeeffff',
  projectHash: 'p',
  startTime: '2026-11-01T10:00:00.000Z',
};

export const geminiMessage = (id: string, tokens: object | null, more: object = {}): object => ({
  id,
  timestamp: '2026-11-01T10:00:05.000Z',
  type: 'gemini',
  content: CONTENT,
  thoughts: [{ subject: CONTENT, description: CONTENT }],
  model: 'gemini-2.5-pro',
  tokens,
  ...more,
});

const qwenLine = (uuid: string, line: object): object => ({
  uuid,
  parentUuid: null,
  sessionId: 'a5b0c1d2-0000-4000-8000-000000000001',
  timestamp: '2026-11-01T10:00:05.000Z',
  cwd: `/home/ann/${CONTENT}`,
  version: '0.12.0',
  ...line,
});

/** A message of Qwen Code, with the counts of its answer. */
export const qwenMessage = (uuid: string, usage: object = {}, line: object = {}): object =>
  qwenLine(uuid, {
    type: 'assistant',
    model: 'qwen3-coder-plus',
    message: { role: 'model', parts: [{ text: CONTENT }] },
    usageMetadata: {
      promptTokenCount: 10_000,
      cachedContentTokenCount: 8_000,
      candidatesTokenCount: 500,
      thoughtsTokenCount: 100,
      totalTokenCount: 10_500,
      ...usage,
    },
    ...line,
  });

/** What Qwen Code records of a request. */
export const qwenRequest = (uuid: string, event: object = {}, line: object = {}): object =>
  qwenLine(uuid, {
    type: 'system',
    subtype: 'ui_telemetry',
    systemPayload: {
      uiEvent: {
        'event.name': 'qwen-code.api_response',
        'event.timestamp': '2026-11-01T10:00:05.000Z',
        response_id: 'chatcmpl-8f3b1c2d4e5f',
        model: 'qwen3-coder-plus',
        status_code: 200,
        duration_ms: 2_000,
        input_token_count: 10_000,
        cached_content_token_count: 8_000,
        output_token_count: 500,
        thoughts_token_count: 100,
        total_token_count: 10_500,
        response_text: CONTENT,
        prompt_id: 'p',
        auth_type: 'openai',
        ...event,
      },
    },
    ...line,
  });
