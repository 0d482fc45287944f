import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import type { Factors } from '../../../../functions/impact/impact.ts';
import { listCost } from '../../../../functions/impact/price/listCost.ts';
import { versionSpellings } from '../../../../functions/impact/price/lists/inferredPrices.ts';
import { modelIdentity } from '../../../../functions/impact/usage/modelIdentity.ts';
import { call } from '../../calls.ts';

const NOVEMBER = new Date('2026-11-20T12:00:00Z');

/**
 * Spellings that producers send for one price: the provider and its model as the price lists have it, then others. SDKs,
 * LiteLLM, OpenRouter, Hugging Face, the AI SDK, OpenTelemetry and the clouds were the sources.
 */
const SAME_PRICE: readonly (readonly [model: string, ...spellings: string[]])[] = [
  [
    'anthropic claude-sonnet-4-5',
    'anthropic claude-sonnet-4-5-20250929',
    'anthropic claude-sonnet-4.5',
    'anthropic claude-4.5-sonnet',
    'anthropic anthropic/claude-sonnet-4-5-20250929',
    'anthropic claude-sonnet-4-5-20250929[1m]',
    'litellm anthropic/claude-sonnet-4-5-20250929',
    'litellm anthropic/claude-4.5-sonnet',
    'Anthropic Claude-Sonnet-4-5',
    'vercel anthropic/claude-sonnet-4.5',
    'vercel anthropic/claude-sonnet-4-5',
    'databricks databricks-claude-sonnet-4-5',
    'portkey anthropic/claude-sonnet-4-5',
    'tensorzero anthropic::claude-sonnet-4-5',
  ],
  ...['deepseek-v3p1', 'glm-4p6', 'kimi-k2-instruct-0905', 'gpt-oss-120b', 'qwen3-235b-a22b'].map(
    (model) =>
      [
        `fireworks accounts/fireworks/models/${model}`,
        `fireworks ${model}`,
        `fireworks_ai fireworks_ai/${model}`,
        `litellm fireworks_ai/accounts/fireworks/models/${model}`,
      ] as const,
  ),
  [
    'github-models openai/gpt-4o',
    'github openai/gpt-4o',
    'github_models openai/gpt-4o',
    'github_models gpt-4o',
  ],
  ['anthropic claude-opus-4-6', 'anthropic claude-opus-4-6[1m]', 'anthropic claude-opus-4-6-20260205'],
  [
    'openrouter anthropic/claude-sonnet-4.5',
    'openrouter openrouter/anthropic/claude-sonnet-4.5',
    'OpenRouter Anthropic/Claude-Sonnet-4.5',
    'openrouter anthropic/claude-4.5-sonnet',
    'openrouter anthropic/claude-4.5-sonnet-20250929',
    'openrouter anthropic/claude-sonnet-4.5:thinking',
    'openrouter anthropic/claude-sonnet-4-5',
    'litellm openrouter/anthropic/claude-sonnet-4.5',
  ],
  ['openrouter anthropic/claude-opus-4.8', 'openrouter anthropic/claude-4.8-opus-20260528'],
  ['openrouter anthropic/claude-opus-4.6', 'openrouter anthropic/claude-4.6-opus-20260205'],
  ['openrouter anthropic/claude-haiku-4.5', 'openrouter anthropic/claude-4.5-haiku-20251001'],
  ['openrouter z-ai/glm-5.1', 'openrouter z-ai/glm-5.1-20260407', 'litellm openrouter/z-ai/glm-5.1'],
  ['openrouter x-ai/grok-4.20', 'openrouter x-ai/grok-4.20-20260309'],
  ['openrouter deepseek/deepseek-v4-flash', 'openrouter deepseek/deepseek-v4-flash-20260424'],
  ['openrouter moonshotai/kimi-k2.6', 'openrouter moonshotai/kimi-k2.6-20260420'],
  ['openrouter minimax/minimax-m2.5', 'openrouter minimax/minimax-m2.5-20260211'],
  ['openrouter qwen/qwen3.6-plus', 'openrouter qwen/qwen3.6-plus-04-02'],
  ['openrouter google/gemini-3-flash-preview', 'openrouter google/gemini-3-flash-preview-20251217'],
  ['openrouter openai/gpt-5.4', 'openrouter openai/gpt-5.4-20260305', 'openrouter openrouter/openai/gpt-5.4'],
  ['openrouter openai/gpt-5-mini', 'openrouter openai/gpt-5-mini-2025-08-07'],
  [
    'openrouter openai/gpt-oss-120b:free',
    'openrouter deepseek/deepseek-chat-v3-0324:free',
    'openrouter z-ai/glm-4.5-air:free',
    'openrouter nvidia/nemotron-3-ultra:free',
    'openrouter tencent/hy3-preview:free',
    'litellm openrouter/stepfun/step-3.5-flash:free',
    'together meta-llama/Llama-3.3-70B-Instruct-Turbo-Free',
  ],
  [
    'aws us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws.bedrock us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'amazon-bedrock us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws.bedrock jp.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws.bedrock eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws.bedrock au.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'aws.bedrock arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'anthropic us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'litellm bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'litellm bedrock/converse/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'litellm bedrock/converse_like/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'litellm bedrock/invoke/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'litellm bedrock/converse/arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock converse/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ],
  [
    'aws us.amazon.nova-pro-v1:0',
    'aws.bedrock us.amazon.nova-pro-v1:0',
    'litellm bedrock/us.amazon.nova-pro-v1:0',
    'litellm bedrock/converse_like/us.amazon.nova-pro-v1:0',
  ],
  [
    'google gemini-2.5-flash',
    'gcp.gemini gemini-2.5-flash',
    'gcp.gemini models/gemini-2.5-flash',
    'gcp.vertex_ai gemini-2.5-flash',
    'vertex_ai publishers/google/models/gemini-2.5-flash',
    'gcp.vertex_ai projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash',
    'litellm gemini/gemini-2.5-flash',
    'litellm gemini/models/gemini-2.5-flash',
    'litellm vertex_ai/gemini-2.5-flash',
    'google google/gemini-2.5-flash',
    'vercel google/gemini-2.5-flash',
    'unknown publishers/google/models/gemini-2.5-flash',
    'google.generative-ai gemini-2.5-flash',
  ],
  ['google gemini-2.5-pro', 'gcp.gemini gemini-2.5-pro-preview-06-05', 'google gemini-2.5-pro-preview-05-06'],
  [
    'google claude-sonnet-4-5@20250929',
    'gcp.vertex_ai claude-sonnet-4-5@20250929',
    'litellm vertex_ai/claude-sonnet-4-5@20250929',
    'gcp.vertex_ai publishers/anthropic/models/claude-sonnet-4-5@20250929',
    'gcp.vertex_ai claude-sonnet-4-5',
  ],
  ['google claude-opus-4-6', 'gcp.vertex_ai claude-opus-4-6@default'],
  [
    'openai gpt-5-mini',
    'openai gpt-5-mini-2025-08-07',
    'openai.responses gpt-5-mini',
    'openai openai/gpt-5-mini',
    'openai openai::gpt-5-mini',
    'litellm openai/gpt-5-mini',
    'litellm openai/responses/gpt-5-mini',
    'openai responses/gpt-5-mini',
    'vercel openai/gpt-5-mini',
    'databricks databricks-gpt-5-mini',
  ],
  ['openai gpt-4o', 'openai gpt-4o-2024-08-06', 'openai gpt-4o-2024-11-20', 'openai GPT-4o'],
  ['openai gpt-4.1', 'openai gpt-4.1-2025-04-14', 'litellm openai/gpt-4.1'],
  ['openai o3', 'openai o3-2025-04-16', 'litellm openai/o3'],
  ['openai gpt-5.4', 'openai gpt-5.4-2026-03-05', 'openai gpt-5.4-high'],
  ['openai ft:gpt-4o-mini-2024-07-18:acme::abc123', 'litellm openai/ft:gpt-4o-mini-2024-07-18:acme::abc123'],
  [
    'azure gpt-5-mini',
    'azure.ai.openai gpt-5-mini',
    'az.ai.openai gpt-5-mini-2025-08-07',
    'azure_openai gpt-5-mini',
    'litellm azure/gpt-5-mini',
    'litellm azure/responses/gpt-5-mini',
    'litellm azure/gpt5_series/gpt-5-mini',
  ],
  ['azure o3', 'litellm azure/o_series/o3', 'azure o3-2025-04-16'],
  ['azure gpt-4o', 'azure gpt-4o-2024-08-06', 'azure.ai.openai GPT-4o', 'litellm azure/gpt-4o-2024-11-20'],
  ['azure gpt-3.5-turbo', 'azure gpt-35-turbo'],
  [
    'x-ai grok-4-1-fast',
    'xai grok-4-1-fast',
    'xai grok-4.1-fast',
    'x_ai grok-4-1-fast-reasoning',
    'xai grok-4.1-fast-reasoning',
    'xai grok-4-1-fast-non-reasoning',
    'litellm xai/grok-4-1-fast-reasoning',
    'vercel xai/grok-4.1-fast-reasoning',
  ],
  [
    'fireworks accounts/fireworks/models/deepseek-v3p1',
    'fireworks_ai accounts/fireworks/models/deepseek-v3p1',
    'litellm fireworks_ai/accounts/fireworks/models/deepseek-v3p1',
  ],
  [
    'together meta-llama/llama-3.3-70b-instruct-turbo',
    'together meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'together_ai meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'togetherai meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'litellm together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo',
  ],
  [
    'groq openai/gpt-oss-120b',
    'litellm groq/openai/gpt-oss-120b',
    'huggingface openai/gpt-oss-120b:groq',
    'hugging_face openai/gpt-oss-120b:groq',
  ],
  [
    'groq moonshotai/kimi-k2-instruct-0905',
    'huggingface moonshotai/Kimi-K2-Instruct-0905:groq',
    'litellm groq/moonshotai/kimi-k2-instruct-0905',
  ],
  ['groq llama-3.3-70b-versatile', 'litellm groq/llama-3.3-70b-versatile', 'Groq llama-3.3-70b-versatile'],
  ['deepinfra meta-llama/llama-3.3-70b-instruct', 'litellm deepinfra/meta-llama/Llama-3.3-70B-Instruct'],
  ['cloudflare @cf/openai/gpt-oss-120b', 'workers-ai @cf/openai/gpt-oss-120b'],
  ['mistral mistral-small-2506', 'mistralai mistral-small-2506', 'litellm mistral/mistral-small-2506'],
  ['perplexity sonar-pro', 'litellm perplexity/sonar-pro', 'perplexity perplexity/sonar-pro'],
  ['zai glm-4.6', 'z.ai glm-4.6', 'zhipuai glm-4.6', 'litellm zai/glm-4.6'],
  ['moonshotai kimi-k2.6', 'moonshot kimi-k2.6', 'litellm moonshot/kimi-k2.6'],
  ['dashscope qwen-plus', 'alibaba qwen-plus', 'litellm dashscope/qwen-plus'],
  ['cohere command-a-03-2025', 'cohere_chat command-a-03-2025', 'litellm cohere/command-a-03-2025'],
];

/** Policies that choose a host, and hosts without a list of prices. */
const AT_SOME_HOST = ['fastest', 'cheapest', 'preferred', 'featherless-ai'];

describe('the price of a call', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });
  const rangeOf = (spelling: string) => {
    const [provider = '', model = ''] = spelling.split(' ');
    const event = call({ provider, requested_model: model });
    const cost = listCost(event, modelIdentity(provider, model), NOVEMBER, factors);
    return typeof cost === 'string' ? cost : [cost.low, cost.central, cost.high];
  };

  it.each(SAME_PRICE)('is the same for all spellings of %s', (model, ...spellings) => {
    const price = rangeOf(model);

    expect(price).toBeInstanceOf(Array);
    expect(Object.fromEntries(spellings.map((spelling) => [spelling, rangeOf(spelling)]))).toEqual(
      Object.fromEntries(spellings.map((spelling) => [spelling, price])),
    );
  });

  it('is compared for at least 150 spellings', () => {
    expect(SAME_PRICE.flat().length).toBeGreaterThanOrEqual(150);
  });

  it.each(AT_SOME_HOST)('is a range around that of the model where Hugging Face routes to %s', (host) => {
    const [low, central, high] = rangeOf(`huggingface zai-org/GLM-5.1:${host}`);

    expect(central).toBe(rangeOf('huggingface zai-org/GLM-5.1')[1]);
    expect(Number(low)).toBeLessThan(Number(central));
    expect(Number(high)).toBeGreaterThan(Number(central));
  });

  it('takes a dot and a hyphen in a version for the same, and leaves dates as they are', () => {
    expect(versionSpellings('x-ai/grok-4.1-fast')).toEqual(['x-ai/grok-4-1-fast']);
    expect(versionSpellings('gpt-5-1')).toEqual(['gpt-5.1']);
    expect(versionSpellings('gpt-4o-2024-08-06')).toEqual([]);
    expect(versionSpellings('claude-sonnet-4-20250514')).toEqual([]);
  });
});
