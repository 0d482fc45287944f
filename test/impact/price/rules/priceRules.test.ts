import { describe, expect, it } from 'vitest';
import { assessCost } from '../../../../functions/impact/price/cost.ts';
import { listPrices } from '../../../../functions/impact/price/lists/listPrices.ts';
import { multiplierFor, type PriceRules } from '../../../../functions/impact/price/rules/priceRules.ts';
import { publishedRules } from '../../../../functions/impact/price/rules/publishedRules.ts';
import { modelIdentity } from '../../../../functions/impact/usage/modelIdentity.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { call } from '../../calls.ts';

const NOVEMBER = '2026-11-20T12:00:00.000Z';
const TOKENS = { input_tokens: 10_000, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1_000 };

/** The cost of a call in relation to that of the same call at the standard price, and its range. */
const timesStandard = (fields: Readonly<Record<string, unknown>>, at = NOVEMBER, rules?: PriceRules) => {
  const costOf = (more: Readonly<Record<string, unknown>>) => {
    const event = call({ ...TOKENS, ...fields, ...more });
    const identity = modelIdentity(event.provider, event.requested_model);
    const cost = assessCost(event, identity, new Date(at), { ...listPrices, ...(rules && { rules }) });
    if (typeof cost === 'string') throw new Error(cost);
    return cost;
  };
  const [cost, standard] = [
    costOf({}),
    costOf({ service_tier: undefined, batch: undefined, region: fields['base_region'] }),
  ];
  const ratio = (amount: string) => Number(decimal(amount).div(standard.central).round(3).toFixed());
  return [ratio(cost.low), ratio(cost.central), ratio(cost.high)];
};

describe('a published multiplier', () => {
  // Provider, model, settings, [low, central, high] in relation to the standard price, from the page of the provider.
  it.each([
    ['openai', 'gpt-5.6-sol', { service_tier: 'priority' }, [2, 2, 2]],
    ['openai', 'gpt-5.6-sol', { service_tier: 'fast' }, [2, 2, 2]],
    ['openai', 'gpt-5.5', { service_tier: 'priority' }, [2, 2.5, 2.5]],
    ['openai', 'gpt-4o-mini', { service_tier: 'priority' }, [1.667, 1.667, 1.667]],
    ['openai', 'gpt-5.6-luna', { region: 'us' }, [1.1, 1.1, 1.1]],
    ['openai', 'gpt-5.6-luna', { region: 'eu' }, [1.1, 1.1, 1.1]],
    ['openai', 'gpt-5.6-luna', { region: 'us-east-1' }, [1, 1, 1.1]],
    ['openai', 'gpt-5.6-luna', { region: 'eu', service_tier: 'priority' }, [2.2, 2.2, 2.2]],
    ['openai', 'gpt-4o', { region: 'eu' }, [1, 1, 1]],
    ['anthropic', 'claude-opus-4-8', { service_tier: 'fast' }, [2, 2, 2]],
    ['anthropic', 'claude-opus-4-6', { service_tier: 'fast' }, [1, 1, 6]],
    ['anthropic', 'claude-opus-4-8', { region: 'us' }, [1.1, 1.1, 1.1]],
    ['anthropic', 'claude-opus-4-8', { region: 'us-east-1' }, [1, 1, 1.1]],
    ['anthropic', 'claude-opus-4-8', { region: 'eu' }, [1, 1, 1]],
    ['gcp.gemini', 'gemini-3.5-flash', { service_tier: 'priority' }, [1.8, 1.8, 1.8]],
    ['aws.bedrock', 'amazon.nova-pro-v1:0', { region: 'us-east-1', service_tier: 'flex' }, [0.5, 0.5, 1]],
    [
      'aws.bedrock',
      'amazon.nova-pro-v1:0',
      { region: 'us-east-1', service_tier: 'priority' },
      [1.05, 1.75, 2.1],
    ],
    ['azure', 'global/gpt-5.5', { service_tier: 'priority' }, [2, 2, 2]],
    ['azure', 'gpt-5.1', { service_tier: 'priority', region: 'global' }, [2, 2, 2]],
    ['groq', 'llama-3.3-70b-versatile', { service_tier: 'flex' }, [1, 1, 1]],
    ['groq', 'llama-3.3-70b-versatile', { batch: true }, [0.5, 0.5, 0.5]],
    ['x-ai', 'grok-4.5', { batch: true }, [0.5, 0.8, 1]],
    ['x-ai', 'grok-4.20-0309-reasoning', { batch: true }, [0.8, 0.8, 0.8]],
    ['moonshotai', 'kimi-k2.5', { batch: true }, [0.6, 0.6, 0.6]],
    ['together', 'openai/gpt-oss-120b', { batch: true }, [0.5, 0.5, 1]],
    // No table lists its price of this tier.
    ['gcp.gemini', 'gemini-4-argon', { service_tier: 'priority' }, [1.75, 1.8, 2]],
  ] as const)('of %s %s with %j is %j times the standard price', (provider, model, settings, expected) => {
    expect(timesStandard({ provider, requested_model: model, ...settings })).toEqual(expected);
  });
});

describe('a rule with a first day', () => {
  it('holds from that day on: OpenAI renamed its priority tier on 30 July 2026', () => {
    const call = { provider: 'openai', requested_model: 'gpt-5.4', service_tier: 'fast' };

    expect(timesStandard(call, '2026-07-29T23:59:59.999Z')).toEqual([1, 1, 6]);
    expect(timesStandard(call, '2026-07-30T00:00:00.000Z')).toEqual([2, 2, 2]);
  });

  it('ends before its last day', () => {
    const rules = {
      ...publishedRules,
      tiers: [
        {
          providers: ['openai'],
          tiers: ['priority'],
          from: '2026-03-01',
          to: '2026-04-01',
          times: '3',
          source: 'test',
          checked: '2026-04-01',
        },
      ],
    };
    const call = { provider: 'openai', requested_model: 'gpt-4.1-nano', service_tier: 'priority' };
    const at = (time: string) => timesStandard(call, time, rules)[1];

    expect([
      at('2026-02-28T23:59:59.999Z'),
      at('2026-03-01T00:00:00.000Z'),
      at('2026-03-31T23:59:59.999Z'),
      at('2026-04-01T00:00:00.000Z'),
    ]).toEqual([1, 3, 3, 1]);
  });
});

describe('the published rules', () => {
  const all = [...publishedRules.tiers, ...publishedRules.places, ...publishedRules.models];

  it('have a source and a day on which they were compared with it', () => {
    expect(all.filter(({ source, checked }) => source === '' || Number.isNaN(Date.parse(checked)))).toEqual(
      [],
    );
  });

  it('have patterns over providers and models that exist', () => {
    const known = (provider: string) => modelIdentity(provider, 'm').provider === provider;
    const strange = all.flatMap(({ providers = [] }) => providers).filter((provider) => !known(provider));

    expect(strange).toEqual([]);
    expect(() => all.map(({ models = '' }) => new RegExp(models))).not.toThrow();
  });

  it('give a range to every tier that no rule names', () => {
    const rule = multiplierFor(publishedRules.tiers, {
      provider: 'acme',
      model: 'one',
      tier: 'express',
      at: new Date(NOVEMBER),
    });

    expect(rule).toMatchObject({ low: '0.5', high: '2.5' });
    expect(rule?.times).toBeUndefined();
  });
});
