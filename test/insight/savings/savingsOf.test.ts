import { describe, expect, it } from 'vitest';
import { idleNodes } from '../../../functions/insight/savings/idleNodes.ts';
import { toDecimalString } from '../../../functions/platform/shared/decimal.ts';
import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import { find, OCTOBER, PERIOD, service, suggestionsFor } from './suggestions.ts';

describe('prompt caching', () => {
  // gpt-5: 1.25 USD per million of input, .125 cached, 10 of output. Its cache serves inputs from 1,024 tokens on.
  const long = { model: 'gpt-5', input: 1_000_000, output: 10_000 };

  it('is suggested for long inputs of which little is cached, up to the share that other calls to the model reach', async () => {
    const savings = await suggestionsFor([
      // 900,000 × 1.25 + 100,000 × .125 + 10,000 × 10 millionths of a USD, the list price.
      ...service('chat', { ...long, cached: 100_000, cost: '1.2375' }),
      ...service('agent', { ...long, cached: 800_000, cost: '0.45' }),
    ]);

    // 100 calls with 10,000 tokens each. At most 102,400 of their tokens are in calls below the minimum. Of the other 897,600,
    // 80 % can be cached, and 100,000 are: 618,080 more, each for 1.125 millionths less.
    expect(find(savings, 'prompt_caching', 'chat')).toMatchObject({
      owner: 'ads',
      provider: 'openai',
      served_model: 'gpt-5',
      low_usd: '0',
      high_usd: '0.69534',
      confidence: 'low',
      invocations: 100,
      cost_usd: '1.2375',
      basis: {
        minimum_tokens: '1024',
        target_share: '0.8',
        more_cached_tokens: '618080',
        paid_of_list: '1',
      },
    });
    expect(Number(find(savings, 'prompt_caching', 'chat')?.energy_wh?.high)).toBeGreaterThan(0);
    expect(find(savings, 'prompt_caching', 'agent')).toBeUndefined();
  });

  it('follows what was paid of the list price, and a judgement if no other calls show what is possible', async () => {
    const savings = await suggestionsFor(
      service('chat', { ...long, cached: 100_000, cost: '0.61875' }),
      // Fifteen of thirty days.
      { ...PERIOD, monthly: (amount) => toDecimalString(amount.times('2')) },
    );

    // 448,800 − 100,000 more tokens, at half of the list price, in fifteen days.
    expect(find(savings, 'prompt_caching', 'chat')).toMatchObject({ high_usd: '0.3924', confidence: 'low' });
  });

  it('is more certain up to the share that the same calls reached in the period before', async () => {
    const savings = await suggestionsFor([
      ...service('chat', { ...long, cached: 600_000, cost: '0.675', at: OCTOBER.from }),
      ...service('chat', { ...long, cached: 100_000, cost: '1.2375' }),
      ...service('agent', { ...long, cached: 300_000, cost: '1.0125' }),
    ]);

    // 60 % of 897,600 tokens without 100,000 are 438,560.
    expect(find(savings, 'prompt_caching', 'chat')).toMatchObject({
      high_usd: '0.49338',
      confidence: 'medium',
      basis: { target_share: '0.6', target_basis: 'these calls in the period before' },
    });
  });

  it.each<[string, Parameters<typeof service>[1]]>([
    ['inputs shorter than the provider caches', { ...long, input: 100_000, cost: '0.225' }],
    ['few calls', { ...long, invocations: 99, cost: '1.35' }],
    ['as large a part of the input cached', { ...long, cached: 500_000, cost: '0.7875' }],
    ['a model without a published minimum', { ...long, provider: 'mistral', model: 'mistral-large-2411' }],
    ['an unknown cost', { ...long, cost: null }],
  ])('is not suggested for %s', async (_why, members) => {
    const savings = await suggestionsFor(service('chat', members));

    expect(find(savings, 'prompt_caching', 'chat')).toBeUndefined();
  });

  it('shows what a higher share has saved since the period before', async () => {
    const savings = await suggestionsFor([
      ...service('chat', { ...long, cost: '1.35', at: OCTOBER.from }),
      ...service('chat', { ...long, cached: 400_000, cost: '0.9' }),
    ]);

    // 400,000 tokens for 1.125 millionths less.
    expect(find(savings, 'prompt_caching', 'chat')).toMatchObject({
      realised: {
        low_usd: '0.45',
        high_usd: '0.45',
        unknown: null,
        previous_invocations: 100,
        invocations: 100,
      },
    });
  });
});

describe('batch', () => {
  const nightly = {
    model: 'gpt-5',
    input: 1_000_000,
    output: 10_000,
    cost: '1.35',
    pathway: 'batch_pipeline' as const,
  };

  it('is suggested for a pipeline that pays the list price', async () => {
    const savings = await suggestionsFor(service('nightly', nightly));

    // The batch price of OpenAI is half of 1.35.
    expect(find(savings, 'batch', 'nightly')).toMatchObject({
      low_usd: '0',
      high_usd: '0.675',
      energy_wh: null,
      confidence: 'medium',
      basis: { batch_of_list: '0.5', flex_of_list: '0.5', paid_of_list: '1' },
      verify: expect.stringContaining('service tier "flex"'),
    });
  });

  it('names no flex tier for a model that no list has one for', async () => {
    const withoutFlex = { ...nightly, model: 'gpt-4.1', cost: '2.08' };
    const found = find(await suggestionsFor(service('nightly', withoutFlex)), 'batch', 'nightly');

    expect(found).toMatchObject({ high_usd: '1.04', basis: { batch_of_list: '0.5' } });
    expect(found?.basis).not.toHaveProperty('flex_of_list');
    expect(found?.verify).not.toContain('flex');
  });

  it('is suggested, with less confidence, for calls that name nobody', async () => {
    const { pathway: _pathway, ...direct } = nightly;
    const calls = service('nightly', direct).map((call) => ({ ...call, person: undefined }));

    expect(find(await suggestionsFor(calls), 'batch', 'nightly')).toMatchObject({
      high_usd: '0.675',
      confidence: 'low',
    });
  });

  it.each<[string, Parameters<typeof service>[1]]>([
    ['calls at the batch price', { ...nightly, cost: '0.675' }],
    ['calls of persons', { ...nightly, pathway: 'application_direct' }],
    ['few calls', { ...nightly, invocations: 99 }],
    ['a provider without a known batch price', { ...nightly, provider: 'groq', model: 'no-such-model' }],
  ])('is not suggested for %s', async (_why, members) => {
    expect(find(await suggestionsFor(service('nightly', members)), 'batch', 'nightly')).toBeUndefined();
  });
});

describe('a replacement model', () => {
  // gpt-4.1: 2 USD per million of input, .5 cached, 8 of output. gpt-6-luna: .1, .01 and .5.
  const old = { model: 'gpt-4.1-2025-04-14', input: 1_000_000, cached: 200_000, output: 50_000, cost: '2.1' };

  it('is suggested if the provider recommends it and its list prices are lower', async () => {
    const saving = find(await suggestionsFor(service('chat', old)), 'replacement_model', 'chat');

    // 800,000 × .1 + 200,000 × .01 + 50,000 × .5 = .107 USD instead of 2.1, or 1.35 times as much.
    expect(saving).toMatchObject({
      replacement: {
        model: 'gpt-6-luna',
        source: 'https://developers.openai.com/api/docs/deprecations',
      },
      low_usd: '1.95555',
      high_usd: '1.993',
      confidence: 'medium',
      basis: { list_usd: '2.1', replacement_list_usd: '0.107' },
    });
  });

  it.each<[string, Parameters<typeof service>[1]]>([
    ['a recommended model that is dearer', { ...old, model: 'gpt-5-mini', cost: '0.305' }],
    ['a model that the provider does not replace', { ...old, model: 'gpt-6-luna', cost: '0.107' }],
    ['the same model at another seller', { ...old, provider: 'azure', model: 'gpt-4.1' }],
    ['few calls', { ...old, invocations: 99 }],
  ])('is not suggested for %s', async (_why, members) => {
    const savings = await suggestionsFor(service('chat', members));

    expect(find(savings, 'replacement_model', 'chat')).toBeUndefined();
  });
});

describe('suppression', () => {
  it('names no service of fewer than five persons, and uses no figure of it alone', async () => {
    const long = { model: 'gpt-5', input: 1_000_000, output: 10_000, cost: '1.35' };
    const savings = await suggestionsFor([
      ...service('chat', long),
      ...service('secret', long).map((call) => ({ ...call, person: 'secret-0', owner: 'legal' })),
    ]);

    expect(savings.length).toBeGreaterThan(0);
    expect(JSON.stringify(savings)).not.toMatch(/secret|legal/);
  });
});

describe('idle nodes', () => {
  const line = (pool: string, idle: string): NodeHourLine => ({
    pool,
    hour: '2026-11-02T00:00:00.000Z',
    cost_usd: '10',
    charged_usd: '4',
    idle_usd: idle,
    busy: 'busy_time',
    measure: 'tokens',
    calls: 3,
    unmeasured_calls: 0,
    as_of: '2026-11-02T02:00:00.000Z',
  });

  it('are summed by pool, and pools that calls use completely are left out', () => {
    expect(idleNodes([line('h100', '6'), line('h100', '5.5'), line('busy', '0')], [], PERIOD)).toMatchObject([
      { pool: 'h100', low_usd: '0', high_usd: '11.5', invocations: 6, cost_usd: '20', energy_wh: null },
    ]);
  });
});
