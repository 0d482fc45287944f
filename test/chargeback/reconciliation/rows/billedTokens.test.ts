import { describe, expect, it } from 'vitest';
import {
  billedTierOf,
  billedTokensOf,
} from '../../../../functions/chargeback/reconciliation/rows/billedTokens.ts';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';

const aRow = (members: object) =>
  BillRow.parse({
    BilledCost: '1',
    BillingCurrency: 'USD',
    ServiceProviderName: 'OpenAI',
    ChargePeriodStart: '2026-04-30T00:00:00Z',
    ChargePeriodEnd: '2026-05-01T00:00:00Z',
    ConsumedQuantity: '7',
    ConsumedUnit: 'Tokens',
    SkuMeter: 'Input Tokens',
    ...members,
  });
const tokensOf = (members: object) => billedTokensOf(aRow(members));

describe('the tokens of a bill row', () => {
  it.each([
    ['Input Tokens', 'input'],
    ['uncached_input_tokens', 'input'],
    ['Cached Input Tokens', 'cached_input'],
    ['cache_read_input_tokens', 'cached_input'],
    ['Cache Write Tokens', 'cache_write'],
    ['cache_creation.ephemeral_5m_input_tokens', 'cache_write'],
    ['cache-write-input-token-count', 'cache_write'],
    ['output', 'output'],
    ['Reasoning Tokens', 'reasoning'],
    [' Input - Token (count) ', 'input'],
  ])('of the meter %s are %s', (SkuMeter, kind) => {
    expect(tokensOf({ SkuMeter })).toEqual({ kind, count: 7 });
  });

  it('have the kind at the end of the SKU if the row has no meter', () => {
    const row = { SkuMeter: null, SkuId: 'openai/gpt-4o/cached input' };

    expect(tokensOf(row)).toEqual({ kind: 'cached_input', count: 7 });
    expect(tokensOf({ ...row, SkuId: 'gpt-4o, output' })).toEqual({ kind: 'output', count: 7 });
    expect(tokensOf({ ...row, SkuId: 'gpt-4o' })).toBeNull();
  });

  it.each([
    ['token', '7', 7],
    ['1K tokens', '1.5', 1_500],
    ['1000 Tokens', '0.001', 1],
    ['Thousand tokens', '2', 2_000],
    ['1M Tokens', '0.000001', 1],
    ['1,000,000 tokens', '3', 3_000_000],
    ['million tokens', '0', 0],
    [' tokens ', '7', 7],
  ])('in units of %s are whole tokens', (ConsumedUnit, ConsumedQuantity, count) => {
    expect(tokensOf({ ConsumedUnit, ConsumedQuantity })).toEqual({ kind: 'input', count });
  });

  /** A block of units is the unit of the price. Elsewhere a unit can be anything. */
  it.each([
    [
      'Microsoft',
      { x_SkuMeterName: 'gpt 4o 0806 cached Inp glbl Tokens', ConsumedUnit: 'Units' },
      'cached_input',
    ],
    [
      'Google Cloud',
      { ChargeDescription: 'Gemini 2.5 Pro Text Output - Predictions', ConsumedUnit: 'count' },
      'output',
    ],
    ['AWS', { x_UsageType: 'USE1-Claude4.6Sonnet-input-tokens', ConsumedUnit: '1K tokens' }, 'input'],
  ])('of %s are those of the words of its meter', (ServiceProviderName, members, kind) => {
    const count = members.ConsumedUnit === '1K tokens' ? 7_000 : 7;
    const row = { ServiceProviderName, SkuMeter: null, ...members };

    expect(tokensOf(row)).toEqual({ kind, count });
    expect(tokensOf({ ...row, ConsumedUnit: 'Hours' })).toBeNull();
  });

  it.each([
    ['InputTokenCount', 'Million Input Tokens', 2_500_000],
    ['OutputTokenCount_Global', 'Million Output Tokens Global', 2_500_000],
    ['CacheReadInputTokenCount', 'thousand Cache Read Input Tokens Regional', 2_500],
    ['InputTokenCount', 'Price per 1 million input tokens', 2_500_000],
    // Later meters do not say it: their prices are those of a million.
    ['input_tokens_standard', 'Input Tokens - Standard, Global', 2_500_000],
    ['InputTokenCount', 'Input Tokens', undefined],
    ['Hours', 'Million Input Tokens', undefined],
  ])(
    'in Units of the meter %s of AWS Marketplace are counted by its description, %s',
    (meter, words, count) => {
      const row = {
        ...{
          ServiceProviderName: 'AWS',
          ServiceName: 'Claude Sonnet 4.6 (Amazon Bedrock Edition)',
          SkuMeter: null,
        },
        ...{ x_UsageType: `USW2-MP:USW2_${meter}-Units`, ConsumedQuantity: '2.5', ConsumedUnit: 'Units' },
        ChargeDescription: `AWS Marketplace software usage|us-west-2|${words}`,
      };

      expect(tokensOf(row)?.count).toBe(count);
    },
  );

  it('are unknown in units of a provider that does not measure tokens in them', () => {
    expect(tokensOf({ ServiceProviderName: 'OpenAI', ConsumedUnit: 'Units' })).toBeNull();
  });

  it('of a cloud have the tier that its meter names', () => {
    const row = { ServiceProviderName: 'Microsoft', SkuMeter: 'GPT 5 Batch outpt Glbl 1M Tokens' };

    expect(billedTierOf(aRow(row))).toBe('batch');
  });

  it.each(['Standard', ' standard ', 'On Demand', 'default', null])(
    'of the category %s have no tier',
    (PricingCategory) => {
      expect(tokensOf({ PricingCategory })).toEqual({ kind: 'input', count: 7 });
      expect(billedTierOf(aRow({ PricingCategory }))).toBeNull();
    },
  );

  it.each([
    ['batch', 'input', { SkuMeter: 'Batch Input Tokens' }],
    ['batch', 'input', { PricingCategory: 'Batch' }],
    ['committed', 'input', { PricingCategory: 'Committed' }],
    ['priority', 'output', { SkuMeter: 'priority_output_tokens' }],
    ['long context', 'output', { SkuMeter: 'output, long context' }],
    ['1h', 'cache_write', { SkuMeter: 'cache_creation.ephemeral_1h_input_tokens' }],
    ['a-name-of-more-than-24-c', 'input', { PricingCategory: 'a-name-of-more-than-24-characters' }],
  ])('have the tier %s and the kind %s with %o', (tier, kind, members) => {
    expect(tokensOf(members)).toEqual({ kind, count: 7 });
    expect(billedTierOf(aRow(members))).toBe(tier);
  });

  it.each([
    { SkuMeter: 'tokenization' },
    { SkuMeter: 'Input Tokens counted' },
    { ConsumedUnit: null },
    { ConsumedUnit: 'Requests' },
    { ConsumedQuantity: null },
    { ConsumedQuantity: '0.5' },
    { ConsumedQuantity: '-7' },
    { ConsumedQuantity: '9007199254740993' },
    { SkuMeter: 'Batch' },
    { SkuMeter: 'gpt-fast, audio input' },
    { SkuMeter: 'Web search' },
    { ChargeCategory: 'Usage', SkuMeter: null, SkuId: null },
  ])('are unknown with %o', (members) => {
    expect(tokensOf(members)).toBeNull();
    expect(billedTierOf(aRow(members))).toBeNull();
  });
});
