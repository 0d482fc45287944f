import { it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { decodeCallLogs } from '../../functions/ingest/callLogs/decodeCallLogs.ts';
import { logBudget, readCallLog } from '../../functions/ingest/formats/callLog.ts';
import { decodeLogs, decodeTraces } from '../../functions/ingest/otlp/decodeExport.ts';
import { type Attributes, logsInJson, tracesInJson } from './otlp/messages.ts';
import { expectShown, type Json, type PricedSource } from './pricedSource.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');

const fromSpan = (attributes: Json) =>
  decodeTraces(
    Buffer.from(JSON.stringify(tracesInJson([{ items: [{ attributes: attributes as Attributes }] }]))),
    'application/json',
    NOW,
  ).events[0];
const fromLogOf = (scope: string) => (attributes: Json) =>
  decodeLogs(
    Buffer.from(JSON.stringify(logsInJson([{ scope, items: [{ attributes: attributes as Attributes }] }]))),
    'application/json',
    NOW,
  ).events[0];
const fromLog = fromLogOf('acme');
const fromCallLog = (entry: Json) =>
  readCallLog(entry, new Date(NOW).toISOString(), new Set(), logBudget(10_000))?.events[0];

const SPAN = {
  'gen_ai.operation.name': 'generate_content',
  'gen_ai.provider.name': 'gcp.gemini',
  'gen_ai.request.model': 'gemini-2.5-flash',
  'gen_ai.usage.input_tokens': 100_000,
  'gen_ai.usage.output_tokens': 50_000,
  'gen_ai.usage.cache_read.input_tokens': 0,
};
const CLAUDE_SPAN = {
  ...SPAN,
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude-opus-4-8',
  'gen_ai.usage.cache_creation.input_tokens': 2_000,
  'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens': 0,
  'gen_ai.token.semantics': 'inclusive',
};
const OPENINFERENCE = {
  'openinference.span.kind': 'LLM',
  'llm.provider': 'openai',
  'llm.model_name': 'gpt-4o-mini-transcribe',
  'llm.token_count.prompt': 100_000,
  'llm.token_count.completion': 50_000,
  'llm.token_count.prompt_details.cache_read': 0,
  'llm.token_count.prompt_details.audio': 2_000,
};
const CLAUDE_CODE = {
  'event.name': 'claude_code.api_request',
  model: 'claude-opus-4-8',
  input_tokens: 100_000,
  output_tokens: 5_000,
  cache_read_tokens: 0,
  cache_creation_tokens: 0,
};
const CODEX = {
  'event.name': 'codex.sse_event',
  'event.kind': 'response.completed',
  model: 'gpt-5.6-terra',
  input_token_count: 100_000,
  output_token_count: 5_000,
  cached_token_count: 0,
};
const GEMINI_CLI = {
  'event.name': 'gemini_cli.api_response',
  model: 'gemini-2.5-flash',
  input_token_count: 100_000,
  output_token_count: 5_000,
  cached_content_token_count: 0,
};
const CURSOR = {
  'cursor.model.name': 'claude-4.5-sonnet',
  'cursor.api.request.input_tokens': 100_000,
  'cursor.api.request.output_tokens': 5_000,
  'cursor.api.request.cache_read_tokens': 0,
  'cursor.api.request.cache_creation_tokens': 0,
};
const CLINE = {
  ulid: '01JC2Z0V5H8Q3T6W9Y1A4D7F0K',
  provider: 'anthropic',
  model: 'claude-opus-4-8',
  source: 'assistant',
  tokensIn: 100_000,
  tokensOut: 5_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};
const OWN_NAMES = {
  'acme.model.name': 'gemini-2.5-flash',
  'acme.input_tokens': 100_000,
  'acme.output_tokens': 50_000,
  'acme.cache.read_tokens': 0,
};
const LANGFUSE = { usage: { input: 100_000, output: 50_000, input_cached_tokens: 0 }, cost: {} };
const fromLangfuse = ({ usage, cost }: Json) =>
  fromSpan({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': 'gemini-2.5-flash',
    'langfuse.observation.usage_details': JSON.stringify(usage),
    'langfuse.observation.cost_details': JSON.stringify(cost),
  });
const LITELLM = {
  id: 'chatcmpl-BkQ0sV7uZxq3nH2mYwTtR4aL',
  call_type: 'acompletion',
  status: 'success',
  custom_llm_provider: 'anthropic',
  model: 'claude-opus-4-8',
  startTime: 1_793_534_400,
  prompt_tokens: 100_000,
  completion_tokens: 50_000,
  metadata: { usage_object: { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } },
};
const BEDROCK = {
  schemaType: 'ModelInvocationLog',
  timestamp: '2026-11-01T12:00:00Z',
  region: 'us-east-1',
  requestId: '5f2a1d0c-8c1e-4a53-9f0a-2f2f6d0b9e11',
  modelId: 'us.amazon.nova-pro-v1:0',
  input: { inputTokenCount: 100_000, cacheReadInputTokenCount: 0, cacheWriteInputTokenCount: 0 },
  output: { outputTokenCount: 50_000 },
};
const vertex = (model: string, full_response: Json) => ({
  endpoint: `projects/p/locations/global/publishers/any/models/${model}`,
  logging_time: '2026-11-01 12:00:00 UTC',
  request_id: '1',
  model: `publishers/any/models/${model}`,
  full_response,
});
const VERTEX_GEMINI = vertex('gemini-2.5-flash', {
  responseId: 'Zf0GaZ3jLPKBmecP5Yy1mQs',
  modelVersion: 'gemini-2.5-flash',
  usageMetadata: { promptTokenCount: 100_000, candidatesTokenCount: 50_000, cachedContentTokenCount: 0 },
});
const VERTEX_CLAUDE = vertex('claude-sonnet-4-5@20250929', {
  id: 'msg_vrtx_0beb09a46dc404afe8b510',
  usage: {
    input_tokens: 100_000,
    output_tokens: 50_000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 2_000,
    cache_creation: { ephemeral_1h_input_tokens: 0 },
  },
});
const AZURE = {
  Type: 'ApiManagementGatewayLlmLog',
  CorrelationId: '8e5b1d2c-33ad-4f7a-8a84-3d1e0bb5e6c7',
  TimeGenerated: '2026-11-01T12:00:00Z',
  ModelName: 'gpt-4o-2024-11-20',
  PromptTokens: 100_000,
  CompletionTokens: 50_000,
};
const ROW = {
  ...{ id: '550e8400-e29b-41d4-a716-446655440000', created_at: '2026-11-01T12:00:00Z' },
  ...{ provider: 'google', model: 'gemini-2.5-flash', input_tokens: 100_000, output_tokens: 50_000 },
};
const fromRow = (row: Json) =>
  decodeCallLogs(Buffer.from(JSON.stringify(row)), 'application/json', NOW).events[0];
const EVENT = {
  specversion: '1.0',
  type: 'ai.inference.completed.v1',
  source: '/gateways/emea',
  id: 'call-42',
  time: '2026-11-01T12:00:00Z',
  data: {
    provider: 'google',
    requested_model: 'gemini-2.5-flash',
    input_tokens: 100_000,
    cached_input_tokens: 0,
    output_tokens: 50_000,
  },
};
const USAGE = 'metadata.usage_object';
const GEMINI_USAGE = 'full_response.usageMetadata';
const CLAUDE_USAGE = 'full_response.usage';
const details = (modality: string) => [{ modality, tokenCount: 500 }];

const sources: readonly PricedSource[] = [
  {
    name: 'a span',
    input: SPAN,
    read: fromSpan,
    isFlat: true,
    fields: [
      ['gen_ai.usage.audio.input_tokens', 1],
      ['gen_ai.usage.image.output_tokens', 1],
      ['gen_ai.usage.input_audio_tokens', 1],
      ['gen_ai.usage.details.input_audio_tokens', 1],
      ['gen_ai.usage.video.input_tokens', 1],
      ['gen_ai.usage.citation_tokens', 1],
      ['gen_ai.usage.web_search_requests', 1],
      ['gen_ai.usage.reasoning.output_tokens', 1],
      ['gen_ai.usage.cost', 99.5],
      ['gen_ai.response.service_tier', 'flex'],
      ['openai.response.service_tier', 'provisioned'],
    ],
  },
  {
    name: 'a span of Claude',
    input: CLAUDE_SPAN,
    read: fromSpan,
    isFlat: true,
    fields: [
      ['gen_ai.usage.cache_read_input_tokens', 1],
      ['gen_ai.usage.cache_creation.ephemeral_1h_input_tokens', 1],
      ['gen_ai.usage.server_tool_use.web_search_requests', 1],
      ['gen_ai.usage.server_tool_use.code_execution_requests', 1],
      ['gen_ai.usage.server_tool_use.tool_of_tomorrow_requests', 1],
      ['gen_ai.anthropic.service_tier', 'batch'],
      ['gen_ai.service_tier', 'fast'],
      ['anthropic.usage.compaction.input_tokens', 1],
      ['anthropic.usage.compaction.output_tokens', 1],
      ['anthropic.usage.requests_of_tomorrow', 1],
    ],
  },
  {
    name: 'a span with names of its own',
    input: OWN_NAMES,
    read: fromSpan,
    isFlat: true,
    fields: [
      ['acme.cache.read_tokens', 1],
      ['acme.audio.input_tokens', 1],
      ['acme.usage.video_tokens', 1],
      ['acme.cost_in_usd', 99.5],
    ],
  },
  {
    name: 'a span with JSON of counts',
    input: LANGFUSE,
    read: fromLangfuse,
    fields: [
      ['usage.input_cached_tokens', 1],
      ['usage.input_audio_tokens', 1],
      ['usage.input_video_tokens', 1],
      ['usage.output_reasoning_tokens', 1],
      ['cost.total', 99.5],
    ],
  },
  {
    name: 'an event of the conventions',
    input: SPAN,
    read: fromLog,
    isFlat: true,
    fields: [
      ['gen_ai.usage.cache_read.input_tokens', 1],
      ['gen_ai.usage.audio.input_tokens', 1],
      ['gen_ai.usage.video.input_tokens', 1],
      ['gen_ai.response.service_tier', 'flex'],
    ],
  },
  {
    name: 'a log of Cursor',
    input: CURSOR,
    read: fromLog,
    isFlat: true,
    fields: [
      ['cursor.api.request.cache_read_tokens', 1],
      ['cursor.api.request.cache_creation_tokens', 1],
      ['cursor.api.billable', false],
    ],
  },
  {
    name: 'a log of Cline',
    input: CLINE,
    read: fromLogOf('cline'),
    isFlat: true,
    fields: [
      ['cacheReadTokens', 1],
      ['cacheWriteTokens', 1],
      ['totalCost', 99.5],
    ],
  },
  {
    name: 'a log of Qwen Code',
    input: { ...GEMINI_CLI, 'event.name': 'qwen-code.api_response', model: 'qwen3-coder-plus' },
    read: fromLog,
    isFlat: true,
    fields: [
      ['cached_content_token_count', 1],
      ['thoughts_token_count', 1],
      ['auth_type', 'qwen-oauth'],
    ],
  },
  {
    name: 'a span of OpenInference',
    input: OPENINFERENCE,
    read: fromSpan,
    isFlat: true,
    fields: [
      ['llm.token_count.prompt_details.audio', 1],
      ['llm.token_count.prompt_details.web_search_requests', 1],
      ['llm.token_count.prompt_details.video', 1],
      ['llm.cost.total', 99.5],
    ],
  },
  {
    name: 'a log of Claude Code',
    input: CLAUDE_CODE,
    read: fromLog,
    isFlat: true,
    fields: [
      ['cache_read_tokens', 1],
      ['cache_creation_tokens', 1],
      ['cost_usd', 99.5],
      ['speed', 'fast'],
      ['model', 'us.anthropic.claude-opus-4-8'],
    ],
  },
  {
    name: 'a log of Codex',
    input: CODEX,
    read: fromLog,
    isFlat: true,
    fields: [
      ['cached_token_count', 1],
      ['cache_write_token_count', 1],
      ['auth_mode', 'Chatgpt'],
    ],
  },
  {
    name: 'a log of Gemini CLI',
    input: GEMINI_CLI,
    read: fromLog,
    isFlat: true,
    fields: [
      ['cached_content_token_count', 1],
      ['thoughts_token_count', 1],
      ['tool_token_count', 1],
      ['auth_type', 'oauth-personal'],
    ],
  },
  {
    name: 'a payload of LiteLLM',
    input: LITELLM,
    read: fromCallLog,
    fields: [
      [`${USAGE}.cache_read_input_tokens`, 1],
      [`${USAGE}.cache_creation_input_tokens`, 1],
      [`${USAGE}.server_tool_use.web_search_requests`, 1],
      [`${USAGE}.server_tool_use.code_execution_requests`, 1],
      [`${USAGE}.server_tool_use.tool_of_tomorrow`, 1],
      [`${USAGE}.inference_geo`, 'us'],
      [`${USAGE}.speed`, 'fast'],
      [`${USAGE}.service_tier`, 'batch'],
      [`${USAGE}.citation_tokens`, 1],
      [`${USAGE}.search_units`, 1],
      [`${USAGE}.pages_processed`, 1],
      [`${USAGE}.duration_seconds`, 1],
      [`${USAGE}.prompt_tokens_details.video_tokens`, 1],
      [`${USAGE}.prompt_tokens_details.image_count`, 1],
      [`${USAGE}.prompt_tokens_details.character_count`, 1],
      [`${USAGE}.prompt_tokens_details.video_length_seconds`, 1],
      ['model_parameters.service_tier', 'flex'],
      ['response_cost', 99.5],
      ['call_type', 'aimage_generation'],
    ],
  },
  {
    name: 'a record of Bedrock',
    input: BEDROCK,
    read: fromCallLog,
    fields: [
      ['input.cacheReadInputTokenCount', 1],
      ['input.inputVideoSeconds', 1],
      ['output.outputImageCount', 1],
      ['performanceConfig', { latency: 'optimized' }],
      ['serviceTier', { type: 'flex' }],
      ['serviceTier', 'priority'],
      ['serviceTier', { type: 'reserved' }],
      ['modelId', 'eu.amazon.nova-pro-v1:0'],
    ],
  },
  {
    name: 'a row of Vertex AI of Gemini',
    input: VERTEX_GEMINI,
    read: fromCallLog,
    fields: [
      [`${GEMINI_USAGE}.cachedContentTokenCount`, 1],
      [`${GEMINI_USAGE}.thoughtsTokenCount`, 1],
      [`${GEMINI_USAGE}.toolUsePromptTokenCount`, 1],
      [`${GEMINI_USAGE}.countOfTomorrow`, 1],
      [`${GEMINI_USAGE}.promptTokensDetails`, details('AUDIO')],
      [`${GEMINI_USAGE}.trafficType`, 'ON_DEMAND_FLEX'],
      [`${GEMINI_USAGE}.trafficType`, 'ON_DEMAND_PRIORITY'],
      [`${GEMINI_USAGE}.trafficType`, 'PROVISIONED_THROUGHPUT'],
      ['full_response.candidates', [{ groundingMetadata: { webSearchQueries: ['a'] } }]],
    ],
  },
  {
    name: 'a row of Vertex AI of Claude',
    input: VERTEX_CLAUDE,
    read: fromCallLog,
    fields: [
      [`${CLAUDE_USAGE}.cache_read_input_tokens`, 1],
      [`${CLAUDE_USAGE}.cache_creation.ephemeral_1h_input_tokens`, 1],
      [`${CLAUDE_USAGE}.server_tool_use.web_search_requests`, 1],
      [`${CLAUDE_USAGE}.server_tool_use.tool_of_tomorrow`, 1],
      [`${CLAUDE_USAGE}.service_tier`, 'batch'],
      ['endpoint', 'projects/p/locations/europe-west1/publishers/any/models/claude-sonnet-4-5@20250929'],
    ],
  },
  {
    name: 'a row of Azure API Management',
    input: AZURE,
    read: fromCallLog,
    fields: [['AudioTokens', 1]],
  },
  {
    name: 'a row of a table with columns of counts',
    input: ROW,
    read: fromRow,
    fields: [
      ['cached_input_tokens', 1],
      ['audio_input_tokens', 1],
      ['video_tokens', 1],
      ['citation_tokens', 1],
      ['billable_web_search_calls', 1],
      ['service_tier', 'flex'],
      ['is_batch', true],
      ['cost_usd', 99.5],
    ],
  },
  {
    name: 'a row of a table with an object of counts',
    input: {
      ...ROW,
      provider: 'anthropic',
      model: 'claude-opus-4-8',
      usage: { cache_creation_tokens: 2_000 },
    },
    read: fromRow,
    fields: [
      ['usage.cache_read_input_tokens', 1],
      ['usage.cache_creation.ephemeral_1h_input_tokens', 1],
      ['usage.server_tool_use.web_search_requests', 1],
      ['usage.server_tool_use.tool_requests_of_tomorrow', 1],
      ['usage.service_tier', 'batch'],
      ['usage.speed', 'fast'],
      ['response', { usage: { audio_tokens_of_tomorrow: 5 } }],
    ],
  },
  {
    name: 'a CloudEvent',
    input: EVENT,
    read: fromCallLog,
    fields: [
      ['data.input_tokens_high', 200_000],
      ['data.output_tokens_high', 60_000],
      ['data.cached_input_tokens', 1],
      ['data.audio_input_tokens', 1],
      ['data.web_searches', 1],
      ['data.file_searches', 1],
      ['data.code_executions', 1],
      ['data.rerank_searches', 1],
      ['data.audio_seconds', 1],
      ['data.video_seconds', 1],
      ['data.images', 1],
      ['data.pages', 1],
      ['data.characters', 1],
      ['data.unread_usage', ['a count']],
      ['data.service_tier', 'flex'],
      ['data.batch', true],
      ['data.billing_mode', 'subscription'],
      ['data.estimated_cost_usd', '99.5'],
    ],
  },
];

const factors = await loadFactors();

it.each(sources)('$name with one more field that sets a price has another, wider or unknown cost', (source) =>
  expectShown(source, factors),
);
