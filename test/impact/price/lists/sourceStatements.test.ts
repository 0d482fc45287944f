import { describe, expect, it } from 'vitest';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import { listedPrices } from '../../../../functions/impact/price/lists/priceList.ts';
import { withSourceStatements } from '../../../../functions/impact/price/lists/sourceStatements.ts';
import { publishedRules } from '../../../../functions/impact/price/rules/publishedRules.ts';
import type { ListedPrice } from '../../../../schemas/attribution/publishedPrices.ts';
import { call, MID_JULY } from '../../calls.ts';

const listOf = (price: ListedPrice, regions?: string[]) => ({
  provider: 'acme',
  source: 'another table',
  checked: '2026-07-01',
  models: { one: price },
  ...(regions !== undefined && { regions }),
});

const USED = { input: '2', output: '10' };
const source = (statements: { completions?: ListedPrice[]; disagreements?: ListedPrice[] }, used = USED) =>
  withSourceStatements(listedPrices([listOf(used)]), {
    completions: (statements.completions ?? []).map((price) => listOf(price)),
    disagreements: (statements.disagreements ?? []).map((price) => listOf(price)),
  });

const costOf = (prices: ReturnType<typeof source>, fields: object = {}) =>
  assessImpact(call({ provider: 'acme', requested_model: 'one', output_tokens: 0, ...fields }), MID_JULY, {
    version: 'test',
    prices,
    rules: publishedRules,
    aliases: new Map(),
  }).cost;

describe('a completion', () => {
  const full = {
    ...USED,
    cached_input: '0.2',
    bands: [{ above_tokens: 100_000, input: '4', output: '15' }],
    batch: { input: '1', output: '5' },
  };

  it('adds the kinds, bands and tiers that the price in use lacks', () => {
    const prices = source({ completions: [full] });

    expect(costOf(prices, { cached_input_tokens: 500 })).toMatchObject({ central: '0.0011' });
    expect(costOf(prices, { input_tokens: 100_000 })).toMatchObject({ central: '0.2' });
    expect(costOf(prices, { input_tokens: 100_001 })).toMatchObject({ central: '0.400004' });
    expect(costOf(prices, { batch: true })).toMatchObject({
      central: '0.001',
      low: '0.001',
      service_tier_multiplier: '0.5',
    });
  });

  it('changes no price that is in use', () => {
    const prices = source(
      { completions: [{ ...full, cached_input: '0.3' }] },
      { ...USED, ...{ cached_input: '0.3' } },
    );

    expect(costOf(prices, { cached_input_tokens: 1_000 })).toMatchObject({ central: '0.0003' });
  });

  it('does not apply after the price in use has changed', () => {
    const prices = source({ completions: [full] }, { input: '1', output: '5' });

    expect(costOf(prices, { cached_input_tokens: 500 })).toMatchObject({ central: '0.001' });
  });
});

describe('a disagreement', () => {
  it.each([
    ['a lower price', { input: '1', output: '10' }, '0.001', '0.002'],
    ['a higher price', { input: '5', output: '10' }, '0.002', '0.005'],
  ])('of a source with %s gives a range over both, and names the source', (_, other, low, high) => {
    expect(costOf(source({ disagreements: [other] }))).toMatchObject({
      low,
      central: '0.002',
      high,
      differing_sources: ['another table, 2026-07-01'],
    });
  });

  it('about another kind than the call used changes nothing', () => {
    const cost = costOf(source({ disagreements: [{ input: '2', output: '12' }] }));

    expect(cost).toMatchObject({ low: '0.002', central: '0.002', high: '0.002' });
    expect(cost).not.toHaveProperty('differing_sources');
  });

  it('of a source without bands says nothing about a long context', () => {
    const used = { ...USED, bands: [{ above_tokens: 100_000, input: '4' }] };
    const prices = source({ disagreements: [{ input: '3', output: '10' }] }, used);

    expect(costOf(prices, { input_tokens: 100_001 })).toMatchObject({ high: '0.400004' });
    expect(costOf(prices, { input_tokens: 100_000 })).toMatchObject({ high: '0.3' });
  });

  it('about the price without a region says nothing about a region with a price of its own', () => {
    const prices = withSourceStatements(listedPrices([listOf(USED), listOf({ input: '9' }, ['mars-1'])]), {
      completions: [],
      disagreements: [listOf({ input: '3', output: '10' })],
    });

    expect(prices.find('acme', 'one', MID_JULY, 0, 'mars-1')).not.toHaveProperty('others');
    expect(prices.find('acme', 'one', MID_JULY, 0, 'mars-2')?.others).toHaveLength(1);
  });
});
