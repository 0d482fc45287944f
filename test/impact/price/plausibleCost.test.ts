import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CostLimits, costToConfirm } from '../../../functions/impact/price/cost.ts';
import { HIGHEST_TOKEN_PRICE } from '../../../functions/impact/price/plausibleCost.ts';
import type { PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { call, MID_JULY, onePrice } from '../calls.ts';
import { costOf as pricedCost } from './costOf.ts';

const SHEET: Partial<PriceSheet> = { input: '3', output: '15' };
const costOf = (fields: Record<string, unknown>, limits: CostLimits = {}, sheet = SHEET) =>
  pricedCost(fields, sheet, limits);
const usage = { input_tokens: 1_000, output_tokens: 100 };
const source = fc.constantFrom({}, { cost_source: 'provider' }, { cost_source: 'estimate' });

describe('a reported cost', () => {
  it.each([
    ['a few tokens', usage, '1000.000000000001'],
    ['a million tokens', { input_tokens: 1_000_000, output_tokens: 0 }, '6000.01'],
    ['no usage', { input_tokens: undefined, output_tokens: undefined }, '60000.01'],
    ['a billion tokens', { input_tokens: 1_000_000_000, output_tokens: 1_000_000_000 }, '60000.01'],
    ['a billion searches and images', { ...usage, web_searches: 1e9, images: 1e9 }, '60000.01'],
    ['the largest amount', usage, '999999999999999999.999999999999'],
  ])('of %s is set aside above %s', (_, counts, estimated_cost_usd) => {
    expect(costOf({ ...counts, estimated_cost_usd })).toBe('implausible_cost');
    expect(costOf({ ...counts, estimated_cost_usd, cost_source: 'provider' })).toBe('implausible_cost');
    expect(costOf({ ...counts, cost_breakdown: { output: estimated_cost_usd } })).toBe('implausible_cost');
  });

  it.each([
    ['a few tokens', usage, '1000'],
    ['a million tokens', { input_tokens: 1_000_000, output_tokens: 0 }, '6000'],
    ['no usage', { input_tokens: undefined, output_tokens: undefined }, '60000'],
    ['images', { images: 1_000 }, '5000'],
  ])('of %s counts up to %s', (_, counts, estimated_cost_usd) => {
    expect(costOf({ ...counts, estimated_cost_usd })).toMatchObject({ central: estimated_cost_usd });
  });

  it('of a model with a higher price than all others counts up to ten times that price', () => {
    const costly = (estimated_cost_usd: string) =>
      costOf(
        { input_tokens: 0, output_tokens: 100_000, estimated_cost_usd },
        {},
        { input: '3200', output: '9710' },
      );

    expect(costly('9710')).toMatchObject({ central: '9710' });
    expect(costly('9711')).toBe('implausible_cost');
  });

  it('above the limit of the tenant is set aside, whatever the usage', () => {
    const fields = { ...usage, estimated_cost_usd: '50.01' };

    expect(costOf(fields, { largestUsd: '50' })).toBe('implausible_cost');
    expect(costOf(fields, { largestUsd: '50.01' })).toMatchObject({ central: '50.01' });
  });

  it('counts exactly as it was confirmed, and another amount does not', () => {
    const fields = { ...usage, estimated_cost_usd: '123456' };

    expect(costOf(fields, { confirmedUsd: '123456' })).toMatchObject({
      source: 'producer',
      low: '123456',
      central: '123456',
      high: '123456',
    });
    expect(costOf({ ...fields, estimated_cost_usd: '123457' }, { confirmedUsd: '123456' })).toBe(
      'implausible_cost',
    );
  });

  it('is never believed above ten times the highest price of its tokens, or 1,000 USD', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.nat(200_000),
        fc.integer({ min: 1, max: 2 ** 31 }),
        source,
        (input, output, usd, by) => {
          const cost = costOf({
            input_tokens: input,
            output_tokens: output,
            estimated_cost_usd: String(usd),
            ...by,
          });
          const most = Math.max(1_000, ((input + output) * 600 * 10) / 1_000_000);

          if (usd > most) expect(cost).toBe('implausible_cost');
          else expect(cost).toMatchObject({ central: String(usd) });
        },
      ),
    );
  });
});

describe('the price of reported usage', () => {
  const listed = (fields: Record<string, unknown>, limits: CostLimits = {}) =>
    costOf({ ...usage, ...fields }, limits, { ...SHEET, image: '40000', search: '10000' });

  it.each([
    ['searches', { web_searches: 1_000_000_000 }],
    ['images', { images: 1_000_000_000 }],
    ['searches that a client estimates at nothing', { web_searches: 1_000_000_000, estimated_cost_usd: '0' }],
  ])('of a billion %s is set aside, until it is confirmed', (_, fields) => {
    const event = call({ ...usage, ...fields });
    const sheet = { ...SHEET, image: '40000', search: '10000' };
    const factors = { prices: onePrice(sheet), rules: publishedRules };
    const waiting = costToConfirm(
      event,
      modelIdentity(event.provider, event.requested_model),
      MID_JULY,
      factors,
    );

    expect(listed(fields)).toBe('implausible_cost');
    expect(Number(waiting?.central)).toBeGreaterThan(60_000);
    expect(listed(fields, { confirmedUsd: waiting?.central })).toEqual(waiting);
    expect(listed(fields, { confirmedUsd: '60001' })).toBe('implausible_cost');
  });

  it('counts up to the highest cost of a call, or the limit of the tenant', () => {
    expect(listed({ web_searches: 5_000_000 })).toMatchObject({ source: 'catalogue' });
    expect(listed({ web_searches: 1_000 }, { largestUsd: '5' })).toBe('implausible_cost');
    expect(listed({ web_searches: 100 }, { largestUsd: '5' })).toMatchObject({ source: 'catalogue' });
  });
});

it('compares with the highest price of a token in the catalogue', () => {
  const catalogue = readFileSync(new URL(import.meta.resolve('@pydantic/genai-prices')), 'utf8');
  const prices = [...catalogue.matchAll(/_mtok: (?<price>[\d.e+-]+)/g)].map(({ groups }) =>
    Number(groups?.['price']),
  );

  expect(prices.length).toBeGreaterThan(100);
  expect(Math.max(...prices)).toBe(Number(HIGHEST_TOKEN_PRICE));
});
