import { it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { claudeCodeReader } from '../../sdk/cli/src/agentLogs/claudeCode.ts';
import { codexReader } from '../../sdk/cli/src/agentLogs/codex.ts';
import { geminiReader } from '../../sdk/cli/src/agentLogs/gemini.ts';
import { eventOf as eventOfSession } from '../../sdk/cli/src/agentLogs/localCall.ts';
import { qwenCodeReader } from '../../sdk/cli/src/agentLogs/qwenCode.ts';
import type { SessionReader } from '../../sdk/cli/src/agentLogs/sessionReader.ts';
import { attributionTelemetry } from '../../sdk/typescript/tracker/aiSdk.ts';
import type { TrackedEvent } from '../../sdk/typescript/tracker/tracker.ts';
import { usageReader } from '../../sdk/typescript/tracker/usage.ts';
import { expectShown, type Json, type PricedSource } from '../ingest/pricedSource.ts';
import { claudeLine } from './agentSessions.ts';

const AT = '2026-11-01T12:00:00.000Z';
const asEvent = (members: Partial<TrackedEvent>) => ({
  event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
  ingestion_layer: 'application',
  ingestion_timestamp: AT,
  ...members,
});

const fromResponse = (provider: string) => (response: Json) => {
  const reader = usageReader(false);
  reader.feed(Buffer.from(JSON.stringify(response)));
  return asEvent({ provider, requested_model: String(response['model']), ...reader.finish() });
};

const fromAiSdk = (usage: Json) => {
  let event: Partial<TrackedEvent> = {};
  const tracker = {
    record: (make: TrackedEvent | (() => TrackedEvent)) => {
      event = typeof make === 'function' ? make() : make;
    },
  };
  const call = { provider: 'anthropic.messages', modelId: 'claude-opus-4-8', usage };
  Reflect.apply(attributionTelemetry(Object(tracker)).onLanguageModelCallEnd, undefined, [call]);
  return asEvent(event);
};

const fromSession = (open: SessionReader, linesOf: (usage: Json) => readonly object[]) => (usage: Json) => {
  const reader = open(Date.parse(AT));
  for (const line of linesOf(usage)) reader.take(Object(line), 'a file');
  const [call] = reader.finish();
  if (call === undefined) throw new Error('the session tells of no call');
  return eventOfSession(call, 'an agent', {});
};

const OPENAI = {
  model: 'gpt-4o',
  usage: { prompt_tokens: 100_000, completion_tokens: 50_000, prompt_tokens_details: { cached_tokens: 0 } },
};
const ANTHROPIC = {
  model: 'claude-opus-4-8',
  usage: {
    input_tokens: 100_000,
    output_tokens: 50_000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 2_000,
    cache_creation: { ephemeral_1h_input_tokens: 0 },
  },
};
const GEMINI_COUNTS = { input: 100_000, output: 5_000, cached: 0 };

const sources: readonly PricedSource[] = [
  {
    name: 'a response of OpenAI',
    input: OPENAI,
    read: fromResponse('openai'),
    fields: [
      ['usage.prompt_tokens_details.cached_tokens', 1],
      ['usage.prompt_tokens_details.audio_tokens', 1],
      ['usage.completion_tokens_details.audio_tokens', 1],
      ['usage.prompt_tokens_details.tokens_of_tomorrow', 1],
      ['usage.num_search_queries', 1],
      ['usage.citation_tokens', 1],
      ['service_tier', 'flex'],
    ],
  },
  {
    name: 'a response of Anthropic',
    input: ANTHROPIC,
    read: fromResponse('anthropic'),
    fields: [
      ['usage.cache_read_input_tokens', 1],
      ['usage.cache_creation_input_tokens', 1],
      ['usage.cache_creation.ephemeral_1h_input_tokens', 1],
      ['usage.server_tool_use.web_search_requests', 1],
      ['usage.server_tool_use.code_execution_requests', 1],
      ['usage.server_tool_use.requests_of_tomorrow', 1],
      ['usage.iterations', [{ type: 'compaction', input_tokens: 9 }]],
      ['usage.inference_geo', 'us'],
      ['usage.speed', 'fast'],
      ['usage.service_tier', 'batch'],
    ],
  },
  {
    name: 'a call of AI SDK 7',
    input: { inputTokens: 100_000, outputTokens: 5_000, inputTokenDetails: { cacheReadTokens: 0 } },
    read: fromAiSdk,
    fields: [
      ['inputTokenDetails.cacheReadTokens', 1],
      ['inputTokenDetails.cacheWriteTokens', 1],
    ],
  },
  {
    name: 'a session of Claude Code',
    input: ANTHROPIC.usage,
    read: fromSession(claudeCodeReader, (usage) => [claudeLine({ model: 'claude-opus-4-8' }, {}, usage)]),
    fields: [
      ['cache_read_input_tokens', 1],
      ['cache_creation.ephemeral_1h_input_tokens', 1],
      ['server_tool_use.web_search_requests', 1],
      ['server_tool_use.code_execution_requests', 1],
      ['server_tool_use.requests_of_tomorrow', 1],
      ['iterations', [{ type: 'compaction', input_tokens: 9 }]],
      ['iterations', [{ type: 'advisor_message', input_tokens: 9 }]],
      ['inference_geo', 'us'],
      ['speed', 'fast'],
      ['service_tier', 'batch'],
    ],
  },
  {
    name: 'a session of Codex',
    input: { input_tokens: 100_000, output_tokens: 5_000, cached_input_tokens: 0 },
    read: fromSession(codexReader, ({ plan, tier, ...usage }) => [
      { timestamp: AT, type: 'turn_context', payload: { model: 'gpt-5.6-terra', service_tier: tier } },
      {
        timestamp: AT,
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { last_token_usage: usage, total_token_usage: usage },
          ...(plan !== undefined && { rate_limits: { plan_type: plan } }),
        },
      },
    ]),
    fields: [
      ['cached_input_tokens', 1],
      ['cache_write_input_tokens', 1],
      ['tier', 'flex'],
      ['plan', 'pro'],
    ],
  },
  {
    name: 'a session of Gemini CLI',
    input: GEMINI_COUNTS,
    read: fromSession(geminiReader, (tokens) => [
      { type: 'gemini', id: '1', timestamp: AT, model: 'gemini-2.5-flash', tokens },
    ]),
    fields: [
      ['cached', 1],
      ['thoughts', 1],
      ['tool', 1],
    ],
  },
  {
    name: 'a session of Qwen Code',
    input: { promptTokenCount: 100_000, candidatesTokenCount: 5_000 },
    read: fromSession(qwenCodeReader, (usageMetadata) => [
      { type: 'assistant', uuid: '1', timestamp: AT, model: 'gemini-2.5-flash', usageMetadata },
    ]),
    fields: [
      ['cachedContentTokenCount', 1],
      ['thoughtsTokenCount', 1],
      ['toolUsePromptTokenCount', 1],
    ],
  },
];

const factors = await loadFactors();

it.each(sources)('$name with one more field that sets a price has another, wider or unknown cost', (source) =>
  expectShown(source, factors),
);
