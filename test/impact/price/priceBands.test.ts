import { describe, expect, it } from 'vitest';
import { bandsOf } from '../../../functions/impact/price/priceBands.ts';
import { withModelRules } from '../../../functions/impact/price/rules/modelRules.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';

describe('the bands of a price', () => {
  it('keep the price of the band below for a kind that they leave out', () => {
    const bands = bandsOf({
      input: '1',
      cached_input: '0.1',
      output: '5',
      bands: [
        { above_tokens: 500_000, output: '9' },
        { above_tokens: 200_000, input: '2' },
      ],
    });

    expect(
      bands.map(({ above, prices }) => [above, prices.input, prices.cached_input, prices.output]),
    ).toEqual([
      [-1, '1', '0.1', '5'],
      [200_000, '2', '0.1', '5'],
      [500_000, '2', '0.1', '9'],
    ]);
  });

  it('apply to a tier in proportion, unless the tier has bands of its own', () => {
    const long = [{ above_tokens: 200_000, input: '2', output: '7.5' }];
    const tier = { input: '0.5', output: '2.5' };
    const prices = { input: '1', output: '5', bands: long };
    const own = { ...tier, bands: [{ above_tokens: 200_000, input: '1.6', output: '6' }] };

    const inBand = (batch: typeof tier) => bandsOf({ ...prices, batch }).at(-1)?.tiers.batch;
    expect(inBand(tier)).toMatchObject({ input: '1', output: '3.75' });
    expect(inBand(own)).toMatchObject({ input: '1.6', output: '6' });
  });

  it('of a tier discount the kinds that it leaves out as the kind that contains them', () => {
    const [only] = bandsOf({
      input: '1',
      cached_input: '0.1',
      cache_write: '1.25',
      output: '5',
      reasoning: '4',
      search: '10000',
      batch: { input: '0.5', output: '3' },
    });

    expect(only.tiers.batch).toMatchObject({
      cached_input: '0.05',
      cache_write: '0.625',
      reasoning: '2.4',
      search: '10000',
    });
  });

  it('of Claude have twice the input price for an hour in the cache, if none is listed', () => {
    const prices = { input: '2', cache_write: '2.5', output: '10' };
    const hourPrices = (model: string, listed: object) =>
      withModelRules(publishedRules, 'anthropic', model, bandsOf({ ...prices, ...listed })).map(
        (band) => band.prices.cache_write_1h,
      );

    expect(hourPrices('us.anthropic.claude-sonnet-5', {})).toEqual(['4']);
    expect(hourPrices('claude-sonnet-5', { cache_write_1h: '3' })).toEqual(['3']);
    expect(hourPrices('claude-sonnet-5', { bands: [{ above_tokens: 100_000, input: '5' }] })).toEqual([
      '4',
      '10',
    ]);
    expect(hourPrices('gpt-6', {})).toEqual([null]);
  });

  it('of Claude have the price of a web search, if none is listed', () => {
    const searchPrice = (model: string, listed: object) =>
      withModelRules(publishedRules, 'anthropic', model, bandsOf({ input: '2', ...listed })).map(
        (band) => band.prices.search,
      );

    expect(searchPrice('claude-opus-5@20260701', {})).toEqual(['10000']);
    expect(searchPrice('claude-sonnet-5', { search: '9000' })).toEqual(['9000']);
    expect(searchPrice('gpt-6', {})).toEqual([null]);
  });
});
