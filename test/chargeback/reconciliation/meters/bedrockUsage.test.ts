import { describe, expect, it } from 'vitest';
import { readBedrockUsage } from '../../../../functions/chargeback/reconciliation/meters/bedrockUsage.ts';
import { normalizeModel } from '../../../../functions/chargeback/reconciliation/rows/normalizeModel.ts';

const read = (usageType: string, product: string | null = null) => {
  const { model, kind, tier } = readBedrockUsage(usageType, product);
  return [model, kind, tier];
};

describe('a usage type of Amazon Bedrock', () => {
  it.each([
    ['USE1-Claude4.6Sonnet-input-tokens', 'anthropic.claude-sonnet-4-6', 'input', null],
    ['USE1-Claude4.6Sonnet-output-tokens', 'anthropic.claude-sonnet-4-6', 'output', null],
    ['USW2-Claude4.5Haiku-cache-read-input-token-count', 'anthropic.claude-haiku-4-5', 'cached_input', null],
    ['EU-Claude4.5Haiku-cache-write-input-token-count', 'anthropic.claude-haiku-4-5', 'cache_write', null],
    ['USE1-Claude4Sonnet-input-tokens-cross-region-global', 'anthropic.claude-sonnet-4', 'input', null],
    ['USE1-Claude3Haiku-input-tokens', 'anthropic.claude-3-haiku', 'input', null],
    ['USE1-NovaPro-output-tokens', 'amazon.nova-pro', 'output', null],
    ['USE1-openai.gpt-oss-120b-mantle-input-tokens-standard', 'openai.gpt-oss-120b', 'input', null],
    [
      'USW2-anthropic.claude-opus-4-8-mantle-cache-write-tokens-global-standard',
      'anthropic.claude-opus-4-8',
      'cache_write',
      null,
    ],
    ['USE1-zai.glm-4.7-output-tokens-batch', 'zai.glm-4.7', 'output', 'batch'],
  ])('%s charges for tokens of %s (%s, tier %s)', (usageType, ...usage) => {
    expect(read(usageType)).toEqual(usage);
  });

  it.each([
    ['USE1-Nova2.0Lite-input-tokens-flex', 'amazon.nova-2-lite', 'input', 'flex'],
    ['USE1-gpt-oss-120b-output-tokens-priority', 'openai.gpt-oss-120b', 'output', 'priority'],
    [
      'USE1-Claude4.5Haiku-cache-write-1h-input-token-count',
      'anthropic.claude-haiku-4-5',
      'cache_write',
      '1h',
    ],
    ['USE1-NovaPro-input-tokens-latency-optimized', 'amazon.nova-pro', 'input', 'latency optimized'],
    [
      'USE1-Claude4Sonnet-output-tokens-long-context-cross-region-global',
      'anthropic.claude-sonnet-4',
      'output',
      'long context',
    ],
  ])('%s has a price of its own tier', (usageType, ...usage) => {
    expect(read(usageType)).toEqual(usage);
  });

  it.each(['USE1-Nova2.0Lite-input-audio-token-count', 'USE1-Claude4.5Haiku-text-input-tokens-unheard-of'])(
    '%s names no kind of tokens that has a price, or no known model',
    (usageType) => {
      const [model, kind] = read(usageType);

      expect([model, kind]).toContain(null);
    },
  );

  /** Names of the price lists of AWS, and what public programs that read them map them to. */
  it.each([
    ['USE1-Llama3-3-70B-input-tokens', 'meta.llama3-3-70b-instruct', 'input', null],
    ['USE1-Llama3-2-1B-output-tokens', 'meta.llama3-2-1b-instruct', 'output', null],
    ['USE1-Llama4-Maverick-17B-input-tokens-batch', 'meta.llama4-maverick-17b-instruct', 'input', 'batch'],
    [
      'USE1-Mistral-Large-3-675b-Instruct-input-tokens',
      'mistral.mistral-large-3-675b-instruct',
      'input',
      null,
    ],
    ['USE1-Ministral-3-8b-Instruct-output-tokens', 'mistral.ministral-3-8b-instruct', 'output', null],
    ['USE1-MistralLarge-input-tokens', 'mistral.mistral-large-2402', 'input', null],
    ['USW2-MistralLarge2407-input-tokens', 'mistral.mistral-large-2407', 'input', null],
    ['USE1-MistralSmall-input-tokens-batch', 'mistral.mistral-small-2402', 'input', 'batch'],
    ['USE1-PixtralLarge2502-output-tokens', 'mistral.pixtral-large-2502', 'output', null],
    ['USE1-Mixtral8x7B-input-tokens', 'mistral.mixtral-8x7b-instruct-v0:1', 'input', null],
    ['USE1-DeepSeek-R1-input-tokens', 'deepseek.r1', 'input', null],
    ['USE1-deepseek.v3.2-input-tokens', 'deepseek.v3.2', 'input', null],
    ['USE1-Qwen3-32B-output-tokens-flex', 'qwen.qwen3-32b', 'output', 'flex'],
    ['USE1-Qwen3Coder-30B-A3B-output-tokens-priority', 'qwen.qwen3-coder-30b-a3b', 'output', 'priority'],
    ['USE1-Qwen3Next-80B-A3B-input-tokens-standard', 'qwen.qwen3-next-80b-a3b', 'input', null],
    ['USE1-Gemma-3-4B-IT-input-tokens-flex', 'google.gemma-3-4b-it', 'input', 'flex'],
    ['USE1-GPT-OSS-Safeguard-20B-input-tokens-priority', 'openai.gpt-oss-safeguard-20b', 'input', 'priority'],
    ['USE1-TitanEmbeddingV2-Text-input-tokens', 'amazon.titan-embed-text-v2', 'input', null],
    ['APN1-TitanEmbeddingsG1-Text-input-tokens', 'amazon.titan-embed-text', 'input', null],
    ['USE1-TitanTextG1-Lite-input-tokens', 'amazon.titan-text-lite', 'input', null],
    ['USE1-TitanTextLite-output-tokens', 'amazon.titan-text-lite', 'output', null],
    ['USE1-NovaPremier-cache-read-input-token-count', 'amazon.nova-premier', 'cached_input', null],
    ['USE1-NovaSonic-speech-output-tokens', 'amazon.nova-sonic', null, null],
    ['APN1-Nemotron-Nano-12B-V2-VL-BF16-input-tokens', 'nvidia.nemotron-nano-12b-v2', 'input', null],
    [
      'USE1-Claude3-5Haiku-input-tokens-latency-optimized',
      'anthropic.claude-3-5-haiku',
      'input',
      'latency optimized',
    ],
  ])('%s is a charge for %s', (usageType, ...usage) => {
    expect(read(usageType)).toEqual(usage);
  });

  it.each([
    ['Jamba 1.5 Large', 'ai21.jamba-1-5-large'],
    ['Cohere Command R', 'cohere.command-r'],
    ['Cohere Command R+', 'cohere.command-r-plus'],
    ['Cohere Embed 3 Model - English', 'cohere.embed-english-v3'],
    ['Cohere Generate Model - Command-Light', 'cohere.command-light-text-v14'],
    ['Palmyra X5', 'writer.palmyra-x5'],
    ['DeepSeek-R1', 'deepseek.r1'],
    ['Jurassic-2 Ultra', null],
    ['Stable Diffusion 3 Large v1.0', null],
  ])('takes from the product %s the model %s', (product, model) => {
    const [found] = read('USE1-MP:USE1_InputTokenCount-Units', `${product} (Amazon Bedrock Edition)`);

    expect(found).toBe(model);
  });

  it.each([
    'USE1-Guardrail-AutomatedReasoningPolicyUnitsConsumed',
    'USE1-NovaCanvas-T2I-1024-Premium',
    'USE1-SomeNewModel-input-tokens',
    'USE1-Llama5-70B-input-tokens',
    'USE1-MistralLarge2-input-tokens',
    'USE1-Llama-CustomModelImport-Inference-v1:0',
    'USE1-Claude2.0-input-tokens',
    '',
  ])('%j has no model, so its charge is compared without one', (usageType) => {
    expect(read(usageType)[0]).toBeNull();
  });

  it.each([
    ['InputTokenCount', 'Claude Sonnet 4.6 (Amazon Bedrock Edition)', 'anthropic.claude-sonnet-4-6', 'input'],
    [
      'output_tokens_standard',
      'Claude Opus 5.5 (Amazon Bedrock Edition)',
      'anthropic.claude-opus-5-5',
      'output',
    ],
    [
      'CacheReadInputTokenCount_Global',
      'Claude 4.6 Sonnet (Amazon Bedrock Edition)',
      'anthropic.claude-sonnet-4-6',
      'cached_input',
    ],
    [
      'input_tokens_global_standard',
      'OpenAI GPT-5.6 Sol (Amazon Bedrock Edition)',
      'openai.gpt-5.6-sol',
      'input',
    ],
    [
      'InputTokenCount',
      'Claude 3.5 Sonnet v2 (Amazon Bedrock Edition)',
      'anthropic.claude-3-5-sonnet-v2',
      'input',
    ],
  ])('takes for the meter %s of AWS Marketplace the model from %s', (meter, product, model, kind) => {
    expect(read(`USW2-MP:USW2_${meter}-Units`, product)).toEqual([model, kind, null]);
  });

  it('keeps batch and one-hour meters of AWS Marketplace apart', () => {
    const product = 'Claude Sonnet 4.6 (Amazon Bedrock Edition)';

    expect(read('USE1-MP:USE1_InputTokenCount_Batch-Units', product)[2]).toBe('batch');
    expect(read('USE1-MP:USE1_CacheWrite1hInputTokenCount_Global-Units', product)[2]).toBe('1h');
    expect(read('USE1-MP:USE1_Reserved_1Month_InputTPM_Geo-Units', product)[1]).toBeNull();
  });
});

/** Model ids of the Bedrock user guide, with what a bill calls them. */
it.each([
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'USE1-Claude4.5Sonnet-input-tokens'],
  ['global.anthropic.claude-sonnet-4-6', 'USE1-Claude4.6Sonnet-input-tokens-cross-region-global'],
  ['anthropic.claude-opus-4-6-v1', 'USE1-Claude4.6Opus-input-tokens'],
  ['anthropic.claude-3-haiku-20240307-v1:0', 'USE1-Claude3Haiku-input-tokens'],
  ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', 'USE1-Claude3.7Sonnet-input-tokens'],
  ['amazon.nova-pro-v1:0', 'USE1-NovaPro-input-tokens'],
  ['us.amazon.nova-2-lite-v1:0', 'USE1-Nova2.0Lite-input-tokens'],
  ['us.meta.llama3-3-70b-instruct-v1:0', 'USE1-Llama3-3-70B-input-tokens'],
  ['mistral.mixtral-8x7b-instruct-v0:1', 'USE1-Mixtral8x7B-input-tokens'],
  ['mistral.mistral-large-2402-v1:0', 'USE1-MistralLarge-input-tokens'],
  ['us.deepseek.r1-v1:0', 'USE1-DeepSeek-R1-input-tokens'],
  ['qwen.qwen3-32b-v1:0', 'USE1-Qwen3-32B-input-tokens'],
  ['amazon.titan-embed-text-v2:0', 'USE1-TitanEmbeddingV2-Text-input-tokens'],
  ['amazon.titan-embed-text-v1', 'USE1-TitanEmbeddingsG1-Text-input-tokens'],
  ['amazon.titan-text-lite-v1', 'USE1-TitanTextG1-Lite-input-tokens'],
  ['openai.gpt-oss-120b-1:0', 'USE1-openai.gpt-oss-120b-mantle-input-tokens-standard'],
])('compares calls of %s with charges for %s', (recorded, usageType) => {
  const { model } = readBedrockUsage(usageType, null);

  expect(normalizeModel('Amazon Web Services', model ?? '')).toEqual(normalizeModel('aws.bedrock', recorded));
});
