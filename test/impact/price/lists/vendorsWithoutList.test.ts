import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { listPrices } from '../../../../functions/impact/price/lists/listPrices.ts';
import lists from '../../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { canonicalProvider } from '../../../../functions/impact/usage/modelIdentity.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();
const DAY = new Date('2026-11-20T12:00:00Z');

const costOf = (provider: string, requested_model: string) =>
  assessImpact(call({ provider, requested_model }), DAY, factors).cost;

describe('a vendor whose prices no list has', () => {
  it.each([
    ['tencent', 'hy4', 'tencent/hy4'],
    ['hunyuan', 'hy4-preview', 'tencent/hy4-preview'],
    ['stepfun', 'step-5-preview', 'stepfun/step-5-preview'],
    ['upstage', 'solar-mini4', 'upstage/solar-mini4'],
    ['inclusionai', 'ling-3.1-flash', 'inclusionai/ling-3.1-flash'],
    ['dashscope', 'qwen3.7-flash', 'qwen/qwen3.7-flash'],
    ['portkey', 'tencent/hy4', 'tencent/hy4'],
  ])('is priced for %s %s around what OpenRouter charges for %s', (provider, model, routed) => {
    const cost = costOf(provider, model);
    const there = costOf('openrouter', routed);

    expect(cost).toMatchObject({ price_match: 'family', central: there?.central });
    expect(Number(cost?.low)).toBeCloseTo(Number(there?.low) / 2, 9);
    expect(Number(cost?.high)).toBeCloseTo(Number(there?.high) * 2, 9);
  });

  it.each([
    ['a host that is not the vendor', 'acme', 'tencent/hy4'],
    ['machines of their own', 'vllm', 'tencent/hy4'],
    ['machines of their own', 'nvidia_nim', 'nvidia/nemotron-3-ultra-550b-a55b'],
    ['open weights that their vendor sells nowhere', 'openai', 'gpt-oss-120b'],
    ['a model that nobody lists', 'tencent', 'hy99'],
  ])('has no such price for %s: %s %s', (_, provider, model) => {
    expect(costOf(provider, model)).toBeNull();
  });
});

it('is right within its range for nine of ten vendors that have a list', () => {
  const routed = lists.lists
    .filter(({ provider }) => provider === 'openrouter')
    .flatMap(({ models }) => Object.keys(models))
    .filter((id) => !/[:~]/.test(id));
  const find = (provider: string, id: string) => {
    const sheet = listPrices.prices.find(provider, id, DAY, 0);
    return sheet === null || sheet.match === 'family' ? null : sheet.output;
  };
  const ratios = routed.flatMap((id) => {
    const [author = '', name = ''] = id.split('/');
    const [own, there] = [find(canonicalProvider(author), name), find('openrouter', id)];
    return own === null || there === null || Number(own) === 0 || Number(there) === 0
      ? []
      : [Number(own) / Number(there)];
  });

  expect(ratios.length).toBeGreaterThan(30);
  expect(ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length).toBeGreaterThan(0.9 * ratios.length);
});
