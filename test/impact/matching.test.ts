import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { canonicalProvider, modelIdentity } from '../../functions/impact/usage/modelIdentity.ts';
import { call, MID_JULY } from './calls.ts';

describe('the spelling of provider and model', () => {
  it.each([
    ['azure-openai', 'gpt-4o', 'azure', 'gpt-4o'],
    ['azure.ai.openai', 'gpt-4o', 'azure', 'gpt-4o'],
    ['Azure OpenAI', 'GPT-4o', 'azure', 'gpt-4o'],
    ['x_ai', 'grok-4', 'x-ai', 'grok-4'],
    ['aws.bedrock', 'amazon.nova-pro-v1:0', 'aws', 'amazon.nova-pro-v1:0'],
    // OpenLLMetry for JavaScript cuts off the vendor.
    ['aws.bedrock', 'nova-pro-v1:0', 'aws', 'amazon.nova-pro-v1:0'],
    ['aws.bedrock', 'claude-3-5-haiku-20241022-v1:0', 'aws', 'anthropic.claude-3-5-haiku-20241022-v1:0'],
    ['aws.bedrock', 'llama3-3-70b-instruct-v1:0', 'aws', 'meta.llama3-3-70b-instruct-v1:0'],
    ['aws.bedrock', 'r1-v1:0', 'aws', 'deepseek.r1-v1:0'],
    ['aws.bedrock', 'my-imported-model', 'aws', 'my-imported-model'],
    ['groq', 'qwen3-32b', 'groq', 'qwen3-32b'],
    ['gcp.vertex_ai', 'gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['gcp.gemini', 'models/gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['vertex_ai', 'publishers/google/models/gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['openai.responses', 'openai/gpt-4o', 'openai', 'gpt-4o'],
    ['litellm', 'azure/gpt-4o', 'azure', 'gpt-4o'],
    ['anthropic', 'claude-opus-4-6[1m]', 'anthropic', 'claude-opus-4-6'],
    ['groq', 'openai/gpt-oss-120b', 'groq', 'openai/gpt-oss-120b'],
    [
      'my-gateway',
      'us.anthropic.claude-haiku-4-5-20251001-v1:0',
      'aws',
      'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    ],
    [
      'anthropic',
      'anthropic.claude-3-5-haiku-20241022-v1:0',
      'aws',
      'anthropic.claude-3-5-haiku-20241022-v1:0',
    ],
    [
      'aws',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-lite-v1:0',
      'aws',
      'eu.amazon.nova-lite-v1:0',
    ],
    ['oci', 'cohere.command-r-plus', 'oci', 'cohere.command-r-plus'],
    ['langgenius/azure_openai/azure_openai', 'gpt-4o', 'azure', 'gpt-4o'],
    ['default/openai/route/basic/rule/0/ref/0', 'gpt-4o', 'openai', 'gpt-4o'],
    ['acme/own/models', 'm', 'acme/own/models', 'm'],
    ['cursor', 'claude-4.5-sonnet', 'cursor', 'claude-sonnet-4-5'],
    ['snowflake', 'claude-4-opus', 'snowflake', 'claude-opus-4'],
    ['openrouter', 'anthropic/claude-4.5-haiku', 'openrouter', 'anthropic/claude-haiku-4.5'],
    ['anthropic', 'claude-3-5-sonnet-20241022', 'anthropic', 'claude-3-5-sonnet-20241022'],
    ['openai_compatible', 'gpt-4o', 'openai_compatible', 'gpt-4o'],
    ['togethercomputer-clone', 'llama', 'togethercomputer-clone', 'llama'],
    // TensorZero.
    ['openai', 'openai::gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['openai', 'tensorzero::model_name::openai::gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['tensorzero', 'anthropic::claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5'],
    // A resource of Vertex AI, of which OpenInference names no provider.
    ['unknown', 'publishers/google/models/gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['unknown', 'publishers/anthropic/models/claude-haiku-4-5', 'google', 'claude-haiku-4-5'],
  ])('normalizes %s %s to %s %s', (rawProvider, rawModel, provider, model) => {
    expect(modelIdentity(rawProvider, rawModel)).toEqual({ provider, model });
  });

  it.each(['google', 'vertex_ai', 'unknown'])(
    'finds the location in a resource of Vertex AI, from %s',
    (named) => {
      expect(modelIdentity(named, 'projects/p/locations/eu/publishers/google/models/gemini-2.5-pro')).toEqual(
        {
          ...{ provider: 'google', model: 'gemini-2.5-pro', region: 'eu' },
        },
      );
    },
  );
});

describe('the price match', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });
  const costOf = (provider: string, model: string) =>
    assessImpact(call({ provider, requested_model: model }), MID_JULY, factors);

  it.each([
    ['openai', 'gpt-4o', 'exact', 'gpt-4o'],
    ['openai', 'gpt-4o-2024-08-06', 'alias', 'gpt-4o'],
    ['openai', 'gpt-5.6', 'alias', 'gpt-5.6-sol'],
    ['openai', 'ft:gpt-4o-mini-2024-07-18:org::abc', 'alias', 'ft:gpt-4o-mini'],
    ['azure', 'gpt-35-turbo', 'alias', 'gpt-3.5-turbo'],
    ['anthropic', 'claude-3-5-haiku-20241022', 'alias', 'claude-3-5-haiku-latest'],
    ['anthropic', 'claude-sonnet-4-20250514', 'alias', 'claude-sonnet-4-0'],
    ['google-vertex', 'claude-sonnet-4-5@20250929', 'alias', 'claude-sonnet-4-5'],
    ['x_ai', 'grok-4', 'alias', 'grok-4-0709'],
    [
      'aws',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'alias',
      'regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    ['fireworks_ai', 'accounts/fireworks/models/gpt-oss-120b', 'alias', 'gpt-oss-120b'],
    ['google', 'gemini-2.5-flash-preview-tts', 'exact', 'gemini-2.5-flash-preview-tts'],
    ['mistral', 'mistral-medium-2505', 'exact', 'mistral-medium-2505'],
    ['google', 'claude-opus-4@20250514', 'alias', 'claude-4-opus'],
    ['aws', 'us.anthropic.claude-opus-4-7', 'alias', 'regional.anthropic.claude-opus-4-7-v1:0'],
  ])('prices %s %s by %s with the price of %s', (provider, model, match, pricedModel) => {
    const { cost } = costOf(provider, model);

    expect(cost).toMatchObject({ price_match: match, priced_model: pricedModel });
  });

  it.each([
    ['openai', 'gpt-9-nonexistent'],
    ['anthropic', 'claude-99-foo'],
    ['azure', 'my-deployment-name'],
    ['fireworks', 'accounts/fireworks/models/of-unknown-size'],
    ['aws', 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123'],
    ['ollama', 'gpt-4o'],
    ['my-cloud', 'llama-3.3-70b'],
    // Open weights of OpenAI, which others serve.
    ['openai', 'gpt-oss-120b'],
    ['openai.chat', 'openai/gpt-oss-20b'],
    ['litellm', 'openai/gpt-oss-120b'],
    ['constructor', 'toString'],
  ])('does not price %s %s', (provider, model) => {
    const { cost, unknown } = costOf(provider, model);

    expect(cost).toBeNull();
    expect(unknown.cost).toBe('price_not_found');
  });

  it.each([
    ['Langchain', 'gpt-4o', 'gpt-4o'],
    ['my-gateway', 'claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['snowflake', 'claude-haiku-4-5', 'claude-haiku-4-5'],
    ['unknown', 'gemini-2.5-flash', 'gemini-2.5-flash'],
    ['some-proxy', 'openai/gpt-4o', 'gpt-4o'],
    ['some-agent', 'qwen3-coder-plus', 'qwen3-coder-plus'],
  ])('prices %s %s in a range around the price of its only vendor', (provider, model, pricedModel) => {
    const { cost } = costOf(provider, model);

    expect(cost).toMatchObject({ price_match: 'family', priced_model: pricedModel });
    expect(Number(cost?.low)).toBeLessThan(Number(cost?.central));
    expect(Number(cost?.high)).toBeGreaterThan(Number(cost?.central));
  });

  it.each([
    ['x_ai', 'grok-4.3-latest', 'grok-4.3'],
    ['openai', 'gpt-5-high', 'gpt-5'],
    ['openrouter', 'openai/gpt-4o:thinking', 'openai/gpt-4o'],
    ['portkey', 'openai/gpt-4o', 'gpt-4o'],
    ['Kong AI Gateway', 'anthropic/claude-haiku-4-5', 'claude-haiku-4-5'],
    ['cloudflare-ai-gateway', 'openai/gpt-4o', 'gpt-4o'],
    ['envoy-ai-gateway', 'gpt-4o', 'gpt-4o'],
  ])('prices %s %s exactly as %s', (provider, model, pricedModel) => {
    const { cost } = costOf(provider, model);

    expect(cost?.priced_model).toBe(pricedModel);
    expect(cost?.low).toBe(cost?.high);
  });

  it.each([
    ['openrouter', 'openai/gpt-4o:nitro'],
    ['openrouter', 'openai/gpt-4o:floor'],
    ['openrouter', 'openai/gpt-4o:online'],
    ['openrouter', 'openai/gpt-4o:exacto'],
    ['anthropic', 'claude-opus-4-6-fast'],
  ])('prices the variant %s %s in a range that contains the price of its model', (provider, model) => {
    const base = costOf(provider, model.replace(/:\w+$|-fast$/, '')).cost;
    const { cost } = costOf(provider, model);

    expect(Number(cost?.low)).toBeLessThanOrEqual(Number(base?.central));
    expect(Number(cost?.high)).toBeGreaterThanOrEqual(Number(base?.central));
    expect(cost?.low).not.toBe(cost?.high);
  });

  it.each(['some-vendor/unknown-model:free', 'openai/gpt-oss-120b:free'])(
    'knows that the variant %s of OpenRouter costs nothing',
    (model) => {
      expect(costOf('openrouter', model).cost).toMatchObject({ low: '0', central: '0', high: '0' });
    },
  );

  it('prices a smaller model that its vendor calls fast by its own price', () => {
    expect(Number(costOf('x-ai', 'grok-4-fast').cost?.high)).toBeLessThan(
      Number(costOf('x-ai', 'grok-4').cost?.low),
    );
  });

  it.each([
    ['openrouter', 'anthropic/claude-3.5-haiku'],
    ['aws', 'us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['anthropic', 'claude-opus-4-8'],
  ])('prices what %s %s reads from and writes to a cache by the ratios of the vendor', (provider, model) => {
    const costWith = (tokens: Record<string, number>) =>
      Number(
        assessImpact(
          call({ provider, requested_model: model, input_tokens: 1_000_000, output_tokens: 0, ...tokens }),
          MID_JULY,
          factors,
        ).cost?.central,
      );
    const plain = costWith({});

    expect(costWith({ cached_input_tokens: 1_000_000 }) / plain).toBeCloseTo(0.1, 6);
    expect(costWith({ cache_write_tokens: 1_000_000, cache_write_1h_tokens: 0 }) / plain).toBeCloseTo(
      1.25,
      6,
    );
  });

  it('knows one provider under all its names', () => {
    const names = [
      ['dashscope', 'alibaba', 'alibaba_cloud', 'Alibaba Cloud', 'aliyun', 'qwen', 'tongyi'],
      ['vercel', 'vercel_ai_gateway', 'gateway'],
      ['github-copilot', 'github', 'github_copilot', 'GitHub Copilot'],
      ['github-models', 'github_models', 'GitHub Models'],
      ['openrouter', 'open_router', 'OpenRouter', 'https://openrouter.ai/api/v1'],
      ['jina_ai', 'jina', 'JinaAI', 'https://api.jina.ai/v1/rerank'],
      ['fal_ai', 'fal', 'fal-ai', 'fal.image', 'fal.ai', 'https://rest.fal.ai/tokens'],
      ['black_forest_labs', 'black-forest-labs', 'bfl', 'black-forest-labs.image'],
      ['runwayml', 'runway'],
      ['openai', 'api.openai.com', 'https://eu.api.openai.com/v1'],
      [
        'azure',
        'openai-prod.openai.azure.com',
        'https://acme.cognitiveservices.azure.com/',
        'azure.ai.openai',
      ],
      ['aws', 'bedrock-runtime.us-east-1.amazonaws.com', 'aws.bedrock'],
      ['google', 'generativelanguage.googleapis.com', 'europe-west4-aiplatform.googleapis.com:443'],
      ['x-ai', 'api.x.ai', 'x.ai', 'x_ai'],
      ['groq', 'api.groq.com'],
      ['databricks', 'https://adb-12.azuredatabricks.net/serving-endpoints'],
      ['dashscope', 'dashscope-intl.aliyuncs.com'],
      ['llm.internal.example.com', 'llm.internal.example.com'],
    ];

    for (const [first = '', ...others] of names) {
      expect(others.map(canonicalProvider)).toEqual(others.map(() => canonicalProvider(first)));
    }
  });

  it.each(['gpt-4o-audio-preview', 'gpt-4o-mini-audio-preview', 'gpt-audio'])(
    'does not price the audio of %s as text',
    (model) => {
      expect(costOf('openai', model).unknown.cost).toBe('unsupported_modality');
    },
  );

  it('prices a Mistral embedding without output tokens', () => {
    const event = call({ provider: 'mistral', requested_model: 'mistral-embed', output_tokens: undefined });

    expect(assessImpact(event, MID_JULY, factors).cost).toMatchObject({ central: '0.0001' });
  });

  it('prices the served model, not the requested model', () => {
    const event = call({ requested_model: 'gpt-4o', served_model: 'gpt-4o-mini' });

    expect(assessImpact(event, MID_JULY, factors).cost?.priced_model).toBe('gpt-4o-mini');
  });

  it.each([
    ['openai', 'omni-moderation-latest'],
    ['google', 'gemma-4-31b-it'],
  ])('keeps the known free price of %s %s at zero', (provider, model) => {
    expect(costOf(provider, model).cost).toMatchObject({ central: '0', source: 'catalogue' });
  });

  it('does not treat the empty price of a discontinued or subscription model as free', () => {
    expect(costOf('github-copilot', 'gpt-4o').unknown.cost).toBe('price_not_found');
    expect(costOf('cerebras', 'qwen-3-coder-480b').unknown.cost).toBe('price_not_found');
  });
});
