import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { call, MID_JULY } from './calls.ts';

/**
 * USD per million tokens on 15 July 2026. genai-prices, models.dev and LiteLLM have the same values.
 * Provider, model, input, output, cache read ('-' where the model has none, '?' where the sources differ).
 */
const GOLDEN = `
openai gpt-4o 2.5 10 1.25
openai gpt-4o-mini 0.15 0.6 0.075
openai gpt-4.1 2 8 0.5
openai gpt-4.1-mini 0.4 1.6 0.1
openai gpt-4.1-nano 0.1 0.4 0.025
openai o3 2 8 0.5
openai o4-mini 1.1 4.4 0.275
openai gpt-5 1.25 10 0.125
openai gpt-5-mini 0.25 2 0.025
openai gpt-5-nano 0.05 0.4 0.005
openai gpt-5.1 1.25 10 0.125
openai gpt-5.2 1.75 14 0.175
openai gpt-5.4 2.5 15 0.25
openai gpt-5.4-mini 0.75 4.5 0.075
openai gpt-5.5 5 30 0.5
openai gpt-5.6 5 30 0.5
openai text-embedding-3-small 0.02 - -
anthropic claude-3-5-haiku-20241022 0.8 4 0.08
anthropic claude-haiku-4-5 1 5 0.1
anthropic claude-sonnet-4-20250514 3 15 0.3
anthropic claude-sonnet-4-5 3 15 0.3
anthropic claude-sonnet-4-6 3 15 0.3
anthropic claude-opus-4-1 15 75 1.5
anthropic claude-opus-4-5 5 25 0.5
anthropic claude-opus-4-6 5 25 0.5
anthropic claude-opus-4-7 5 25 0.5
anthropic claude-sonnet-5 2 10 0.2
anthropic claude-opus-4-8 5 25 0.5
anthropic claude-opus-5 5 25 0.5
google gemini-2.0-flash 0.1 0.4 0.025
google gemini-3-pro-preview 2 12 0.2
google gemini-3-flash-preview 0.5 3 0.05
google gemini-3.1-pro-preview 2 12 0.2
google gemini-2.5-pro 1.25 10 ?
google gemini-2.5-flash 0.3 2.5 ?
google gemini-2.5-flash-lite 0.1 0.4 ?
aws global.anthropic.claude-sonnet-4-5-20250929-v1:0 3 15 0.3
aws us.anthropic.claude-sonnet-4-5-20250929-v1:0 3.3 16.5 0.33
aws us.anthropic.claude-haiku-4-5-20251001-v1:0 1.1 5.5 0.11
aws anthropic.claude-3-5-haiku-20241022-v1:0 0.8 4 0.08
aws amazon.nova-pro-v1:0 0.8 3.2 0.2
aws amazon.nova-lite-v1:0 0.06 0.24 0.015
aws amazon.nova-micro-v1:0 0.035 0.14 0.00875
aws meta.llama3-3-70b-instruct-v1:0 0.72 0.72 -
aws openai.gpt-oss-120b-1:0 0.15 0.6 -
azure gpt-4o 2.5 10 1.25
azure gpt-4.1 2 8 0.5
azure gpt-5.1 1.25 10 0.125
azure gpt-5.4 2.5 15 0.25
azure gpt-5 1.25 10 ?
azure gpt-5-mini 0.25 2 ?
mistral codestral-latest 0.3 0.9 ?
mistral mistral-large-latest 0.5 1.5 ?
mistral mistral-small-latest 0.15 0.6 ?
mistral mistral-medium-latest 1.5 7.5 ?
deepseek deepseek-chat 0.14 0.28 ?
deepseek deepseek-reasoner 0.14 0.28 ?
aws amazon.titan-embed-text-v2:0 0.02 - -
aws mistral.mistral-large-2407-v1:0 2 6 -`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

describe('golden prices', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  it.each(GOLDEN)('prices %s %s', (provider, model, input, output, cacheRead) => {
    // A short call, below all context length bands.
    const event = call({
      provider,
      requested_model: model,
      input_tokens: 2_000,
      cached_input_tokens: cacheRead === '-' ? 0 : 1_000,
      output_tokens: output === '-' ? undefined : 500,
    });

    const { cost } = assessImpact(event, MID_JULY, factors);

    const unitPrice = (kind: string) =>
      cost?.components.find((component) => component.kind === kind)?.unit_price_usd_per_million;
    expect(unitPrice('input')).toBe(input);
    expect(unitPrice('output')).toBe(output === '-' ? undefined : output);
    if (cacheRead !== '?') expect(unitPrice('cached_input')).toBe(cacheRead === '-' ? undefined : cacheRead);
  });

  it('adds the fee of the default search size, and a range up to the highest', () => {
    const event = call({ provider: 'perplexity', requested_model: 'sonar-pro' });

    const { cost } = assessImpact(event, MID_JULY, factors);

    // 1,000 tokens at 3 and 300 at 15 USD per million, and 6 to 14 USD per thousand requests
    expect(cost).toMatchObject({
      low: '0.0135',
      central: '0.0135',
      high: '0.0215',
      components: [{}, {}, { kind: 'request', quantity: 1 }],
    });
  });
});
