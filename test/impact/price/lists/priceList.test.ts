import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { listedPrices } from '../../../../functions/impact/price/lists/priceList.ts';
import type { PriceList } from '../../../../schemas/attribution/publishedPrices.ts';
import { PriceListFile } from '../../../../tools/prices/priceListFile.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();

const costOf = (provider: string, requested_model: string, day: string, fields: object = {}) =>
  assessImpact(
    call({ provider, requested_model, output_tokens: 500, ...fields }),
    new Date(`${day}T12:00:00Z`),
    factors,
  ).cost;

describe('the price lists', () => {
  it('have the format that the update command reads and writes', () => {
    const file = readFileSync(
      new URL('../../../../functions/impact/price/lists/priceList.json', import.meta.url),
      'utf8',
    );

    expect(PriceListFile.safeParse(JSON.parse(file)).error).toBeUndefined();
  });

  it('name a source and a day for each list', () => {
    const lists: readonly PriceList[] = [
      {
        provider: 'openai',
        source: 'a page',
        checked: '2026-08-01',
        models: { one: { input: '1', output: '2' } },
      },
    ];

    const { version } = listedPrices(lists);

    expect(version).toMatch(/^prices-2026-08-01-[\da-f]{8}$/);
  });

  it.each([
    // Before and after a price cut, for 1,000 input and 500 output tokens
    ['google', 'gemini-3.6-flash', '2026-08-13', '0.00525'],
    ['google', 'gemini-3.6-flash', '2026-08-14', '0.002625'],
    ['openai', 'gpt-5.6-terra', '2026-07-30', '0.01'],
    ['openai', 'gpt-5.6-terra', '2026-07-31', '0.008'],
    ['openai', 'gpt-5.6-luna', '2026-07-30', '0.004'],
    ['openai', 'gpt-5.6-luna', '2026-07-31', '0.0008'],
    ['openai', 'ft:gpt-4.1-2025-04-14:org::id', '2026-07-15', '0.009'],
    ['azure', 'us/gpt-4o-2024-08-06', '2026-07-15', '0.00825'],
    ['azure', 'global/gpt-4o-2024-08-06', '2026-07-15', '0.0075'],
    ['bedrock', 'bedrock/us-east-1/meta.llama3-70b-instruct-v1:0', '2026-07-15', '0.0044'],
    ['bedrock', 'deepseek.v3.2', '2026-07-15', '0.001545'],
    ['databricks', 'databricks/databricks-claude-sonnet-4', '2026-07-15', '0.0105'],
    ['deepinfra', 'deepinfra/meta-llama/Llama-3.3-70B-Instruct', '2026-07-15', '0.00043'],
    ['together_ai', 'together_ai/openai/gpt-oss-120b', '2026-07-15', '0.00045'],
    ['fireworks_ai', 'accounts/fireworks/models/qwen2p5-7b-instruct', '2026-07-15', '0.0003'],
    ['vercel_ai_gateway', 'openai/gpt-4o', '2026-07-15', '0.0075'],
    // A price that ends on a day that the provider names.
    ['google', 'gemini-4-argon', '2026-11-30', '0.007'],
    ['google', 'gemini-4-argon', '2026-12-01', '0.014'],
    ['anthropic', 'claude-mythos-5-1', '2026-11-30', '0.035'],
    ['dashscope', 'qwen3.8-max', '2026-11-30', '0.005'],
  ])('price %s %s on %s', (provider, model, day, central) => {
    expect(costOf(provider, model, day)).toMatchObject({ central });
  });

  it.each<[string, string, string, string, string, object?]>([
    // Peak hours depend on the holidays of China, a promotion has no stated end, and a snapshot can have a price of its own.
    ['deepseek', 'deepseek-flash', '2026-11-20', '0.00045', '0.0009'],
    ['deepseek', 'deepseek-v4-flash', '2026-09-10', '0.00045', '0.0009'],
    ['openai', 'gpt-5.6-sol', '2026-11-21', '0.014', '0.014'],
    ['openai', 'gpt-5.6', '2026-11-22', '0.014', '0.02'],
    ['openrouter', 'z-ai/glm-5.3-flash-20260826', '2026-11-20', '0.0000791', '0.0004'],
    ['google', 'gemini-3.5-flash', '2026-11-20', '0.006', '0.0066', { region: 'europe-west4' }],
    // Tables differ, and no page of the provider settles it.
    ['x-ai', 'grok-4.20-0309-reasoning', '2026-06-20', '0.0025', '0.005'],
    ['x-ai', 'grok-4.20-multi-agent-0309', '2026-11-20', '0.0025', '0.005'],
    ['google', 'xai/grok-4.20-reasoning', '2026-11-20', '0.0025', '0.005'],
    ['aws', 'us-gov.anthropic.claude-sonnet-5', '2026-11-20', '0.0077', '0.0084'],
    ['mistral', 'ministral-3b-latest', '2026-11-20', '0.00006', '0.00015'],
    [
      'azure',
      'gpt-5.4-mini',
      '2026-11-20',
      '0.4545',
      '1.0881',
      { input_tokens: 300_000, service_tier: 'priority' },
    ],
    [
      'azure',
      'gpt-5.4-nano',
      '2026-11-20',
      '0.12125',
      '0.29025',
      { input_tokens: 300_000, service_tier: 'priority' },
    ],
    // An alias moved on a day between two tables.
    ['mistral', 'mistral-large-latest', '2026-11-10', '0.00125', '0.00125'],
    ['mistral', 'mistral-large-latest', '2026-11-15', '0.00125', '0.00175'],
    ['mistral', 'mistral-large-latest', '2026-11-20', '0.00175', '0.00175'],
    ['mistral', 'mistral-medium', '2026-11-20', '0.00525', '0.00525'],
    // The page of the provider settles it.
    ['x-ai', 'grok-4.20-0309-reasoning', '2026-11-20', '0.0025', '0.0025'],
    ['x-ai', 'grok-4.20-beta-0309-reasoning', '2026-11-20', '0.0025', '0.0025'],
    ['openai', 'gpt-4o-mini-tts', '2026-11-20', '0.0066', '0.0066', { audio_output_tokens: 500 }],
    ['openai', 'gpt-4o-mini-tts-2025-12-15', '2026-11-20', '0.0066', '0.0066', { audio_output_tokens: 500 }],
    ['google', 'claude-opus-4-7@default', '2026-11-20', '1.5125', '1.66375', { input_tokens: 300_000 }],
    ['google', 'claude-sonnet-4-6@default', '2026-11-20', '0.9075', '0.99825', { input_tokens: 300_000 }],
    ['zai', 'glm-4.6v', '2026-11-20', '0.00005', '0.00005', { cached_input_tokens: 1_000, output_tokens: 0 }],
  ])('give %s %s on %s a range from %s to %s', (provider, model, day, low, high, fields = {}) => {
    expect(costOf(provider, model, day, fields)).toMatchObject({ low, high });
  });

  it.each([{ service_tier: 'flex' }, { batch: true }])(
    'price a call of gpt-5.1 with %j of an unknown provider as its vendor does, and not of a host',
    (tier) => {
      const [vendor, unknown, host] = ['openai', 'unknown', 'some-host'].map(
        (provider) => costOf(provider, 'gpt-5.1', '2026-07-15', tier)?.central,
      );

      expect(unknown).toBe(vendor);
      expect(host).not.toBe(vendor);
    },
  );

  it.each([
    ['cohere', 'rerank-v3.5', '0.006'],
    ['cohere', 'rerank-multilingual-v3.0', '0.006'],
    ['bedrock', 'cohere.rerank-v3-5:0', '0.006'],
    ['bedrock', 'amazon.rerank-v1:0', '0.003'],
  ])('price three searches of %s %s', (provider, model, central) => {
    const counts = { input_tokens: 0, output_tokens: 0, rerank_searches: 3, operation: 'rerank' };

    expect(costOf(provider, model, '2026-08-20', counts)).toMatchObject({
      central,
      low: central,
      high: central,
    });
  });

  it('do not price a rerank call that states no searches as free', () => {
    const counts = { input_tokens: 0, output_tokens: 0, operation: 'rerank' };

    expect(costOf('cohere', 'rerank-v3.5', '2026-08-20', counts)).toBeNull();
  });

  it.each([
    ['gpt-4o-2024-05-13', '1.75'],
    ['gpt-5.3-codex', '2'],
    ['gpt-5.6-terra', '2'],
    ['gpt-5.6-luna', '2'],
  ])('price the priority tier of %s at %s times the list price', (model, service_tier_multiplier) => {
    expect(costOf('openai', model, '2026-08-20', { service_tier: 'priority' })).toMatchObject({
      service_tier_multiplier,
    });
  });
});

describe('prices by region', () => {
  const LLAMA = 'meta.llama3-70b-instruct-v1:0';

  it('apply where the event names a listed region', () => {
    expect(costOf('aws', LLAMA, '2026-07-15', { region: 'sa-east-1' })).toMatchObject({
      low: '0.00739',
      central: '0.00739',
      high: '0.00739',
    });
  });

  it.each([undefined, 'eu-north-1'])(
    'give a range around the default price where the region is %s',
    (region) => {
      expect(costOf('aws', LLAMA, '2026-07-15', region === undefined ? {} : { region })).toMatchObject({
        low: '0.0044',
        central: '0.0044',
        // 4.45 / 2.65 and 5.88 / 3.5: the most expensive region costs 1.68 times as much
        high: '0.007392',
      });
    },
  );

  it.each([
    [undefined, '0.009'],
    ['australiaeast', '0.009'],
    ['swedencentral', '0.00825'],
    ['eastus2', '0.00825'],
    ['global', '0.0075'],
  ])('give Azure deployments of unknown type in the region %s a range up to %s USD', (region, high) => {
    const place = region === undefined ? {} : { region };
    expect(costOf('azure', 'gpt-4o', '2026-07-15', place)).toMatchObject({ central: '0.0075', high });
  });

  it('give regional Claude models on Bedrock a range down to the global price', () => {
    expect(costOf('aws', 'anthropic.claude-opus-4-7', '2026-07-15')).toMatchObject({
      low: '0.01750000175',
      central: '0.01925',
    });
  });
});

it.each([
  ['anthropic', 'claude-sonnet-4-5', '1.8075'],
  ['anthropic', 'claude-sonnet-4-20250514', '1.8075'],
  ['google', 'claude-sonnet-4-5@20250929', '1.8075'],
  ['aws', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', '1.8075'],
  ['aws', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', '1.98825'],
])('doubles the input price of a long context at %s for %s', (provider, model, central) => {
  const cost = costOf(provider, model, '2026-07-15', {
    input_tokens: 300_000,
    output_tokens: 333.333_333 | 0,
  });

  // 300,000 tokens at 6 and 333 at 22.5 USD per million
  expect(Number(cost?.central)).toBeCloseTo(Number(central), 3);
});
