import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { call } from './calls.ts';

describe('prices by date and context length', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });
  const unitPrices = (fields: Record<string, unknown>, at: string) =>
    assessImpact(call(fields), new Date(at), factors).cost?.components.map(
      (component) => component.unit_price_usd_per_million,
    );

  it.each([
    ['openai', 'o3', '2025-05-01T00:00:00Z', '10', '40'],
    ['openai', 'o3', '2025-08-01T00:00:00Z', '2', '8'],
    ['openai', 'gpt-5.6', '2026-08-20T23:59:59Z', '5', '30'],
    ['openai', 'gpt-5.6', '2026-08-21T00:00:00Z', '4', '20'],
    ['deepseek', 'deepseek-chat', '2025-06-01T12:00:00Z', '0.27', '1.1'],
    ['deepseek', 'deepseek-chat', '2025-06-01T20:00:00Z', '0.135', '0.55'],
    ['deepseek', 'deepseek-chat', '2025-06-01T00:29:59Z', '0.135', '0.55'],
    ['deepseek', 'deepseek-chat', '2025-06-01T00:30:00Z', '0.27', '1.1'],
    ['deepseek', 'deepseek-chat', '2025-06-01T16:29:59.999Z', '0.27', '1.1'],
    ['deepseek', 'deepseek-chat', '2025-06-01T16:30:00Z', '0.135', '0.55'],
    ['deepseek', 'deepseek-chat', '2025-09-28T20:00:00Z', '0.56', '1.68'],
    ['deepseek', 'deepseek-chat', '2025-12-01T20:00:00Z', '0.28', '0.42'],
    ['deepseek', 'deepseek-v4-flash', '2026-07-01T02:00:00Z', '0.14', '0.28'],
    ['deepseek', 'deepseek-v4-flash', '2026-09-01T02:00:00Z', '0.44', '1.32'],
    ['deepseek', 'deepseek-v4-flash', '2026-09-01T05:00:00Z', '0.22', '0.66'],
    ['mistral', 'mistral-large-latest', '2025-11-01T00:00:00Z', '2', '6'],
    ['mistral', 'mistral-large-latest', '2025-12-02T00:00:00Z', '0.5', '1.5'],
    ['google', 'gemini-flash-latest', '2026-08-01T23:59:59.999Z', '0.3', '2.5'],
    ['google', 'gemini-flash-latest', '2026-11-10T00:00:00Z', '1.5', '9'],
    ['google', 'gemini-pro-latest', '2026-07-01T00:00:00Z', '1.25', '10'],
    ['vercel', 'google/gemini-flash-lite-latest', '2026-07-01T00:00:00Z', '0.1', '0.4'],
    ['openai', 'gpt-4o-latest', '2024-10-01T23:59:59.999Z', '5', '15'],
    ['openai', 'gpt-4o-latest', '2024-10-02T00:00:00Z', '2.5', '10'],
  ])('prices %s %s at %s', (provider, model, at, input, output) => {
    expect(unitPrices({ provider, requested_model: model }, at)).toEqual([input, output]);
  });

  it.each([
    [200_000, ['1.25', '10']],
    [200_001, ['2.5', '15']],
  ])('prices all tokens of a call with %d input tokens in one context band', (tokens, expected) => {
    const fields = { provider: 'google', requested_model: 'gemini-2.5-pro', input_tokens: tokens };

    expect(unitPrices(fields, '2026-07-15T12:00:00Z')).toEqual(expected);
  });

  it('includes cached tokens when it selects the context band', () => {
    const fields = { requested_model: 'gpt-5.4', input_tokens: 272_001, cached_input_tokens: 272_001 };

    expect(unitPrices(fields, '2026-07-15T12:00:00Z')).toEqual(['5', '0.5', '22.5']);
  });
});
