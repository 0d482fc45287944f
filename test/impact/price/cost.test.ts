import { describe, expect, it } from 'vitest';
import { assessCost } from '../../../functions/impact/price/cost.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import { call, MID_JULY, onePrice } from '../calls.ts';
import { costOf, FULL } from './costOf.ts';

describe('cost from unit prices', () => {
  it('prices cached tokens once', () => {
    const cost = costOf({
      input_tokens: 1_000,
      cached_input_tokens: 600,
      cache_write_tokens: 100,
      output_tokens: 10,
    });

    expect(cost).toMatchObject({
      central: '0.001605',
      components: [
        { kind: 'input', quantity: 300, unit_price_usd_per_million: '3', cost_usd: '0.0009' },
        { kind: 'cached_input', quantity: 600, unit_price_usd_per_million: '0.3', cost_usd: '0.00018' },
        { kind: 'cache_write', quantity: 100, unit_price_usd_per_million: '3.75', cost_usd: '0.000375' },
        { kind: 'output', quantity: 10, unit_price_usd_per_million: '15', cost_usd: '0.00015' },
      ],
    });
  });

  it('charges cache reads and writes as input when the model has no price for them', () => {
    const fields = { cached_input_tokens: 600, cache_write_tokens: 100, output_tokens: 0 };

    const cost = costOf(fields, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.003', central: '0.003', high: '0.003' });
  });

  it('charges reasoning tokens once, as output', () => {
    const cost = costOf({ input_tokens: 0, output_tokens: 1_000, reasoning_tokens: 900 });

    expect(cost).toMatchObject({ central: '0.015' });
  });

  it('charges reasoning tokens separately when the model has a price for them', () => {
    const fields = { input_tokens: 0, output_tokens: 1_000, reasoning_tokens: 900 };

    const cost = costOf(fields, { input: '2', output: '8', reasoning: '3' });

    expect(cost).toMatchObject({
      central: '0.0035',
      components: [
        { kind: 'input', quantity: 0 },
        { kind: 'output', quantity: 100 },
        { kind: 'reasoning', quantity: 900 },
      ],
    });
  });

  it('is exact when a tier price has more digits than a cost', () => {
    const fields = { batch: true, input_tokens: 1, cached_input_tokens: 1, output_tokens: 0 };

    const cost = costOf(fields, { input: '0.435', cached_input: '0.003625', output: '0.87' });

    // Half of 0.003625 is 0.0018125. One token would then cost less than 1e-12 USD.
    expect(cost).toMatchObject({
      central: '0.000000001813',
      components: [{}, { unit_price_usd_per_million: '0.001813', cost_usd: '0.000000001813' }, {}],
    });
  });

  it('adds a fee per request', () => {
    const cost = costOf({}, { input: '3', output: '15', request: '14000' });

    expect(cost).toMatchObject({
      central: '0.0215',
      components: [{}, {}, { kind: 'request', quantity: 1, cost_usd: '0.014' }],
    });
  });

  it('keeps a free price at zero', () => {
    expect(costOf({}, { input: '0', output: '0' })).toMatchObject({ low: '0', central: '0', high: '0' });
  });

  it('has a low bound with all input from the cache when cached tokens are not reported', () => {
    const cost = costOf({ cached_input_tokens: undefined, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.0003', central: '0.003', high: '0.003' });
  });

  it('has no cache range for a model without a cache', () => {
    const cost = costOf({ cached_input_tokens: undefined }, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.0075' });
  });

  it('has a high bound with the one-hour price for cache writes of unknown lifetime', () => {
    const cost = costOf({ cache_write_tokens: 1_000, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.00375', central: '0.00375', high: '0.006' });
  });
});

describe('the price of another model of the family', () => {
  it('is the centre of a range', () => {
    expect(costOf({}, { ...FULL, match: 'family' })).toMatchObject({
      price_match: 'family',
      low: '0.00375',
      central: '0.0075',
      high: '0.015',
    });
  });

  it('widens the range of an unknown region', () => {
    const sheet = { ...FULL, match: 'family' as const, tokenFactors: { low: '1', high: '1.2' } };

    expect(costOf({}, sheet)).toMatchObject({ low: '0.00375', high: '0.018' });
  });

  it('has no range where a contract names the family', () => {
    const sheet = { ...FULL, match: 'family' as const, source: 'contract' as const };

    expect(costOf({}, sheet)).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.0075' });
  });
});

describe('unknown cost', () => {
  it.each([
    ['token counts', { input_tokens: undefined, output_tokens: undefined }],
    ['input tokens', { input_tokens: undefined }],
    ['output tokens', { output_tokens: undefined }],
    ['usage of a failed call', { status: 'error', input_tokens: undefined, output_tokens: undefined }],
  ])('is usage_missing without %s', (_, fields) => {
    expect(costOf(fields)).toBe('usage_missing');
  });

  it('does not apply to a failed call with usage, which is priced', () => {
    expect(costOf({ status: 'error' })).toMatchObject({ central: '0.0075' });
  });

  it('does not apply to an embedding without output tokens', () => {
    expect(costOf({ output_tokens: undefined }, { input: '0.02' })).toMatchObject({
      central: '0.00002',
      components: [{ kind: 'input' }],
    });
  });

  it('does not apply to an embedding without output tokens when the list has an output price', () => {
    const fields = { provider: 'mistral', requested_model: 'mistral-embed', output_tokens: undefined };

    expect(costOf(fields, { input: '0.1', output: '0.1' })).toMatchObject({ central: '0.0001' });
  });

  it.each([
    ['the parts of a breakdown', { cost_breakdown: { input: '999999999999999999', output: '1' } }],
    ['tokens and price', { input_tokens: 1_000_000_000 }],
  ])('is out_of_range when %s exceed the largest figure', (_, fields) => {
    expect(costOf(fields, { input: '999999999999999999', output: '0' })).toBe('out_of_range');
  });

  it('is avoided by limiting the high bound to the largest figure', () => {
    const fields = { provider: 'azure', service_tier: 'priority', input_tokens: 1_000_000_000 };

    const confirmedUsd = '500000000000000000';

    expect(costOf(fields, { input: '500000000000000', output: '0' }, { confirmedUsd })).toMatchObject({
      central: confirmedUsd,
      high: '999999999999999999.999999999999',
    });
  });

  it('applies to output tokens of a model without an output price', () => {
    expect(costOf({ output_tokens: 5 }, { input: '0.02' })).toBe('price_not_found');
  });

  it.each([
    [{ input_tokens: 10, cached_input_tokens: 8, cache_write_tokens: 3 }],
    [{ output_tokens: 10, reasoning_tokens: 11 }],
  ])('is usage_inconsistent when parts exceed their total: %o', (counts) => {
    const event = { ...call(), ...counts };

    expect(
      assessCost(event, { provider: 'a', model: 'b' }, MID_JULY, {
        prices: onePrice(FULL),
        rules: publishedRules,
      }),
    ).toBe('usage_inconsistent');
  });

  it('applies to calls with tokens of several modalities with different prices', () => {
    const image = { ...FULL, otherModalities: true };

    expect(costOf({ operation: 'image_generation' }, image)).toBe('unsupported_modality');
    expect(costOf({ operation: 'chat' }, image)).toMatchObject({ central: '0.0075' });
  });

  it('applies to models that are charged by hour or page', () => {
    expect(costOf({}, { otherModalities: true })).toBe('unsupported_modality');
  });
});
