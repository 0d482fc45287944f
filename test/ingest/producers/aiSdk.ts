import { COUNTS, conventions, GPT_4O, PARTS, RESPONSE } from './conventions.ts';
import type { ProducerFixture } from './fixture.ts';

export const aiSdk: readonly ProducerFixture[] = [
  {
    producer: 'Vercel AI SDK 4',
    path: 'spans',
    source: 'vercel/ai packages/ai/core/generate-text',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'openai.chat',
      'ai.model.id': 'gpt-4o',
      'ai.response.id': RESPONSE,
      'ai.usage.promptTokens': 1_000,
      'ai.usage.completionTokens': 200,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Vercel AI SDK 5 and 6, OpenCode',
    path: 'spans',
    source: 'vercel/ai packages/ai/src/generate-text',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.streamText.doStream',
      'ai.model.provider': 'gateway',
      'ai.model.id': 'openai/gpt-4o',
      'ai.response.id': RESPONSE,
      'ai.usage.inputTokens': 1_000,
      'ai.usage.outputTokens': 200,
      'ai.usage.totalTokens': 1_200,
      'ai.usage.cachedInputTokens': 400,
      'ai.usage.reasoningTokens': 50,
    },
    expect: { provider: 'gateway', requested_model: 'openai/gpt-4o', ...COUNTS },
  },
  {
    producer: 'Vercel AI SDK 4, Anthropic',
    path: 'spans',
    source: 'vercel/ai packages/anthropic/src/anthropic-messages-language-model.ts',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'anthropic.messages',
      'ai.model.id': 'claude-sonnet-4-5',
      'ai.usage.promptTokens': 1_000,
      'ai.usage.completionTokens': 200,
      'ai.response.providerMetadata':
        '{"anthropic":{"cacheCreationInputTokens":2000,"cacheReadInputTokens":3000}}',
    },
    expect: {
      provider: 'anthropic',
      input_tokens: 6_000,
      cached_input_tokens: 3_000,
      cache_write_tokens: 2_000,
    },
  },
  {
    producer: 'Vercel AI SDK 5, Amazon Bedrock',
    path: 'spans',
    source: 'vercel/ai packages/amazon-bedrock/src/bedrock-chat-language-model.ts',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'amazon-bedrock',
      'ai.model.id': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'ai.usage.inputTokens': 1_000,
      'ai.usage.outputTokens': 200,
      'ai.usage.cachedInputTokens': 3_000,
      'ai.response.providerMetadata':
        '{"bedrock":{"usage":{"cacheReadInputTokens":3000,"cacheWriteInputTokens":2000}}}',
    },
    expect: { input_tokens: 6_000, cached_input_tokens: 3_000, cache_write_tokens: 2_000 },
  },
  {
    producer: 'Vercel AI SDK 7',
    path: 'spans',
    source: 'vercel/ai packages/otel',
    scope: 'gen_ai',
    attributes: { ...conventions('openai', 'gpt-4o'), ...PARTS },
    expect: { provider: 'openai', ...GPT_4O },
  },
];
