import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { decimal, toDecimalString, wholeNumber } from '../../../functions/platform/shared/decimal.ts';
import { call } from '../calls.ts';

const factors = await loadFactors();

/**
 * Provider, model, the longest input at the short price, and the prices of input, cached input and output in USD per
 * million tokens, short and long. All tokens of a longer call pay the long price. On 20 November 2026, from the price
 * pages of Anthropic, OpenAI, xAI and Google, and models.dev for the others.
 */
const BANDS = `
anthropic claude-haiku-5-5 100000 0.1 0.01 0.5 0.5 0.05 2.5
aws anthropic.claude-haiku-5-5 100000 0.1 0.01 0.5 0.5 0.05 2.5
aws global.anthropic.claude-haiku-5-5 100000 0.1 0.01 0.5 0.5 0.05 2.5
aws us.anthropic.claude-haiku-5-5 100000 0.11 0.011 0.55 0.55 0.055 2.75
aws eu.anthropic.claude-haiku-5-5 100000 0.11 0.011 0.55 0.55 0.055 2.75
aws jp.anthropic.claude-haiku-5-5 100000 0.11 0.011 0.55 0.55 0.055 2.75
aws au.anthropic.claude-haiku-5-5 100000 0.11 0.011 0.55 0.55 0.055 2.75
openai gpt-5.5 272000 5 0.5 30 10 1 45
openai gpt-6.1-sol 272000 2 0.1 10 4 0.2 15
openai gpt-6.1-terra 272000 1 0.05 5 2 0.1 7.5
azure gpt-6.1-sol 272000 2 0.1 10 4 0.2 15
azure gpt-6.1-terra 272000 1 0.05 5 2 0.1 7.5
aws openai.gpt-6.1-sol 272000 2.2 0.11 11 4.4 0.22 16.5
aws global.openai.gpt-6-sol 272000 2 0.2 10 4 0.4 15
aws us.openai.gpt-6-luna 272000 0.11 0.011 0.55 0.22 0.022 0.825
aws openai.gpt-6-astra 272000 11 1.1 55 22 2.2 82.5
openrouter openai/gpt-6.1-sol 272000 2 0.1 10 4 0.2 15
xai grok-4.7 199999 2 0.5 6 4 1 12
vercel spacexai/grok-4.5 200000 2 0.3 6 4 0.6 12
vercel xai/grok-4.7 199999 2 0.5 6 4 1 12
google gemini-pro-latest 200000 2 0.2 12 4 0.4 18
google deep-research-preview-04-2026 200000 2 0.2 12 4 0.4 18
meta muse-ember-1.0 200000 0.1 0.004 0.5 0.3 0.012 1.5
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** The longest input at the short price, one token more, and the length of a coding agent's call. */
const LENGTHS = [
  { at: 'exactly the limit', more: 0, isLong: false },
  { at: 'one token above the limit', more: 1, isLong: true },
  { at: 'far above the limit', more: 200_000, isLong: true },
];

const cases = BANDS.flatMap(([provider = '', model = '', limit = '', ...prices]) =>
  LENGTHS.flatMap(({ at, more, isLong }) =>
    ([0, 90_000] as const).map((cached) => {
      const [input = '', cachedInput = '', output = ''] = prices.slice(isLong ? 3 : 0);
      return { provider, model, at, tokens: Number(limit) + more, cached, input, cachedInput, output };
    }),
  ),
);

describe('a call with a long context', () => {
  it.each(cases)('of $provider $model at $at with $cached cached tokens has the price of its band', (one) => {
    const event = call({
      provider: one.provider,
      requested_model: one.model,
      input_tokens: one.tokens,
      cached_input_tokens: one.cached,
      output_tokens: 1_000,
    });

    const { cost } = assessImpact(event, new Date('2026-11-20T12:00:00Z'), factors);

    const expected = wholeNumber(one.tokens - one.cached)
      .times(one.input)
      .plus(wholeNumber(one.cached).times(one.cachedInput))
      .plus(wholeNumber(1_000).times(one.output))
      .times('0.000001');
    expect(cost?.central).toBe(toDecimalString(expected));
    expect(decimal(cost?.low ?? '0').lte(expected)).toBe(true);
  });

  it('has the price of its band in a batch', () => {
    const event = call({
      requested_model: 'gpt-5.5',
      input_tokens: 300_000,
      output_tokens: 1_000,
      batch: true,
    });

    const { cost } = assessImpact(event, new Date('2026-11-20T12:00:00Z'), factors);

    // Half of 300,000 tokens at 10 and 1,000 at 45 USD per million
    expect(cost).toMatchObject({ central: '1.5225', service_tier_multiplier: '0.5' });
  });
});

// https://openai.com/api-priority-processing/ excludes long contexts, and tables have a multiple for them.
it.each([
  ['gpt-5.5', '2.5'],
  ['gpt-5.6-sol', '2'],
])(
  '%s with a long context in the tier priority costs from the standard price to the multiple',
  (model, times) => {
    const costOf = (tier?: string) =>
      assessImpact(
        call({ requested_model: model, input_tokens: 300_000, service_tier: tier }),
        new Date('2026-11-20T12:00:00Z'),
        factors,
      ).cost;
    const standard = decimal(costOf()?.central ?? '0');

    expect(costOf('priority')).toMatchObject({
      low: toDecimalString(standard),
      high: toDecimalString(standard.times(times)),
    });
  },
);

it.each(['gpt-5.4-mini', 'gpt-5.4-nano-2026-03-17'])(
  'gives %s at Azure a range over a band that one table states and others deny',
  (model) => {
    const long = call({
      provider: 'azure',
      requested_model: model,
      region: 'global',
      input_tokens: 300_000,
      cached_input_tokens: 0,
      output_tokens: 4_000,
    });
    const { cost } = assessImpact(long, new Date('2026-11-20T12:00:00Z'), factors);
    const short = assessImpact({ ...long, input_tokens: 200_000 }, new Date('2026-11-20T12:00:00Z'), factors);

    expect(cost?.low).toBe(cost?.central);
    expect(Number(cost?.high) / Number(cost?.low)).toBeGreaterThan(1.9);
    expect(short.cost?.high).toBe(short.cost?.low);
  },
);

describe('Claude 4.6 to 5.5, which cost the same in every length since 13 March 2026,', () => {
  const sellers = {
    anthropic: (id: string) => id,
    'gcp.vertex_ai': (id: string) => id,
    azure: (id: string) => id,
    aws: (id: string) => `global.anthropic.${id}-v1:0`,
    openrouter: (id: string) => `anthropic/${id.replace(/-(\d)-(\d)/, '-$1.$2')}`,
    vercel: (id: string) => `anthropic/${id.replace(/-(\d)-(\d)/, '-$1.$2')}`,
  };
  const models = [
    'opus-4-6',
    'opus-4-7',
    'opus-4-8',
    'opus-5',
    'opus-5-5',
    'sonnet-4-6',
    'sonnet-5',
    'sonnet-5-5',
  ];
  const perToken = (provider: string, requested_model: string, input_tokens: number, day: string) => {
    const event = call({ provider, requested_model, input_tokens, output_tokens: 0 });
    return Number(assessImpact(event, new Date(`${day}T12:00:00Z`), factors).cost?.central) / input_tokens;
  };

  it.each(Object.entries(sellers))('do so at %s', (provider, idOf) => {
    const dearer = models.filter((model) => {
      const price = (tokens: number) => perToken(provider, idOf(`claude-${model}`), tokens, '2026-11-20');
      return price(500_000) > price(50_000) * 1.001;
    });

    expect(dearer).toEqual([]);
  });

  it('did not before', () => {
    expect(perToken('gcp.vertex_ai', 'claude-opus-4-6', 500_000, '2026-03-12')).toBeCloseTo(0.00001, 9);
  });
});
