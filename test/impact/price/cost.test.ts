import { describe, expect, it } from 'vitest';
import { modelIdentity } from '../../../functions/impact/modelIdentity.ts';
import { assessCost } from '../../../functions/impact/price/cost.ts';
import type { PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import { call, MID_JULY, onePrice } from '../calls.ts';

const FULL: Partial<PriceSheet> = {
  input: '3',
  cachedInput: '0.3',
  cacheWrite: '3.75',
  cacheWriteLong: '6',
  output: '15',
};

const costOf = (fields: Record<string, unknown>, sheet: Partial<PriceSheet> = FULL) => {
  const event = call(fields);
  const identity = modelIdentity(event.provider, event.requested_model);
  return assessCost(event, identity, MID_JULY, onePrice(sheet));
};

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

  it('charges cache reads and writes as input where the model has no price for them', () => {
    const fields = { cached_input_tokens: 600, cache_write_tokens: 100, output_tokens: 0 };

    const cost = costOf(fields, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.003', central: '0.003', high: '0.003' });
  });

  it('charges reasoning as output, once', () => {
    const cost = costOf({ input_tokens: 0, output_tokens: 1_000, reasoning_tokens: 900 });

    expect(cost).toMatchObject({ central: '0.015' });
  });

  it('charges reasoning apart where the model does', () => {
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

  it('is exact where a tier makes a price finer than a cost can show', () => {
    const fields = { batch: true, input_tokens: 1, cached_input_tokens: 1, output_tokens: 0 };

    const cost = costOf(fields, { input: '0.435', cachedInput: '0.003625', output: '0.87' });

    // Half of 0.003625 is 0.0018125, and one such token would cost a fraction of a pico
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

  it('widens to all read from cache where nothing is said about the cache', () => {
    const cost = costOf({ cached_input_tokens: undefined, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.0003', central: '0.003', high: '0.003' });
  });

  it('has no cache range for a model without a cache', () => {
    const cost = costOf({ cached_input_tokens: undefined }, { input: '3', output: '15' });

    expect(cost).toMatchObject({ low: '0.0075', central: '0.0075', high: '0.0075' });
  });

  it('widens to the hour price for cache writes of unknown life', () => {
    const cost = costOf({ cache_write_tokens: 1_000, output_tokens: 0 });

    expect(cost).toMatchObject({ low: '0.00375', central: '0.00375', high: '0.006' });
  });
});

describe('service tiers', () => {
  it.each([
    [{ batch: true }, '0.5', '0.00375'],
    [{ service_tier: 'batch' }, '0.5', '0.00375'],
    [{ service_tier: 'FLEX' }, '0.5', '0.00375'],
    [{ batch: true, service_tier: 'priority' }, '0.5', '0.00375'],
    [{ batch: true, service_tier: 'flex' }, '0.5', '0.00375'],
    [{ batch: true, provider: 'bedrock' }, '0.5', '0.00375'],
    [{ service_tier: 'flex', provider: 'groq' }, '1', '0.0075'],
    [{ service_tier: 'default' }, '1', '0.0075'],
    [{ service_tier: 'SERVICE_TIER_STANDARD' }, '1', '0.0075'],
    [{}, '1', '0.0075'],
  ])('applies %o as %s', (fields, multiplier, central) => {
    expect(costOf(fields)).toMatchObject({
      service_tier_multiplier: multiplier,
      low: central,
      central,
      high: central,
    });
  });

  it.each([
    ['gpt-4o', '2.5', '4.25'],
    ['gpt-4o-mini', '0.15', '0.25'],
    ['gpt-5-mini', '0.25', '0.45'],
    ['gpt-5.5', '5', '12.5'],
    ['o4-mini', '1.1', '2'],
  ])('charges the published priority price of %s exactly', (pricedModel, list, priority) => {
    const cost = costOf({ service_tier: 'priority' }, { input: list, output: list, pricedModel });

    expect(cost).toMatchObject({ components: [{ unit_price_usd_per_million: priority }, {}] });
  });

  it.each([
    [{ batch: true, provider: 'deepseek' }, '0.0075'],
    [{ service_tier: 'flex', provider: 'anthropic' }, '0.01875'],
    [{ service_tier: 'priority', provider: 'azure' }, '0.01875'],
  ])('gives %o a range, since no price page states a multiplier', (fields, high) => {
    expect(costOf(fields)).toMatchObject({
      service_tier_multiplier: null,
      low: '0.00375',
      central: '0.0075',
      high,
    });
  });

  it('gives a tier without a known price a range and no multiplier', () => {
    const cost = costOf({ provider: 'anthropic', service_tier: 'priority' });

    expect(cost).toMatchObject({
      service_tier_multiplier: null,
      low: '0.00375',
      central: '0.0075',
      high: '0.01875',
    });
  });

  it('does not discount a fee per request', () => {
    const cost = costOf(
      { batch: true, input_tokens: 0, output_tokens: 0 },
      { input: '3', output: '15', request: '14000' },
    );

    expect(cost).toMatchObject({ central: '0.014' });
  });
});

describe("the producer's own cost", () => {
  it('wins over the catalogue, a stated zero included', () => {
    expect(costOf({ estimated_cost_usd: '0' })).toMatchObject({
      source: 'producer',
      catalogue: 'producer',
      central: '0',
      components: [{ kind: 'total', quantity: null, unit_price_usd_per_million: null, cost_usd: '0' }],
    });
  });

  it('stands as it is where its parts add up to something else', () => {
    const cost = costOf({ estimated_cost_usd: '0.50', cost_breakdown: { input: '0.1', output: '0.2' } });

    expect(cost).toMatchObject({
      low: '0.5',
      central: '0.5',
      high: '0.5',
      components: [{ kind: 'total', cost_usd: '0.5' }],
    });
  });

  it('is the sum of its parts where it has no total', () => {
    const cost = costOf({ cost_breakdown: { input: '0.1', cached_input: '0.02', output: '0.2' } });

    expect(cost).toMatchObject({
      source: 'producer',
      central: '0.32',
      components: [
        { kind: 'input', quantity: null, unit_price_usd_per_million: null, cost_usd: '0.1' },
        { kind: 'cached_input', cost_usd: '0.02' },
        { kind: 'output', cost_usd: '0.2' },
      ],
    });
  });

  it('keeps the parts that add up to its total, however either is spelled', () => {
    const cost = costOf({ estimated_cost_usd: '0.30', cost_breakdown: { input: '0.1', output: '0.200' } });

    expect(cost).toMatchObject({ components: [{ kind: 'input' }, { kind: 'output', cost_usd: '0.2' }] });
  });

  it('is absent where the breakdown is empty', () => {
    expect(costOf({ cost_breakdown: {} })).toMatchObject({ source: 'catalogue' });
  });

  it('needs no usage', () => {
    const fields = { estimated_cost_usd: '1.25', input_tokens: undefined, output_tokens: undefined };

    expect(costOf({ ...fields, cached_input_tokens: undefined })).toMatchObject({ central: '1.25' });
  });
});

describe('unknown cost', () => {
  it.each([
    ['both counts', { input_tokens: undefined, output_tokens: undefined }],
    ['input', { input_tokens: undefined }],
    ['output', { output_tokens: undefined }],
    ['a failed call without usage', { status: 'error', input_tokens: undefined, output_tokens: undefined }],
  ])('says usage_missing without %s', (_, fields) => {
    expect(costOf(fields)).toBe('usage_missing');
  });

  it('prices a failed call that did report usage', () => {
    expect(costOf({ status: 'error' })).toMatchObject({ central: '0.0075' });
  });

  it('prices an embedding without output tokens', () => {
    expect(costOf({ output_tokens: undefined }, { input: '0.02' })).toMatchObject({
      central: '0.00002',
      components: [{ kind: 'input' }],
    });
  });

  it('prices an embedding without output tokens by a list that has an output price for it too', () => {
    const fields = { provider: 'mistral', requested_model: 'mistral-embed', output_tokens: undefined };

    expect(costOf(fields, { input: '0.1', output: '0.1' })).toMatchObject({ central: '0.0001' });
  });

  it.each([
    ['the parts of a breakdown', { cost_breakdown: { input: '999999999999999999', output: '1' } }],
    ['tokens and price', { input_tokens: 1_000_000_000 }],
  ])('says out_of_range where %s make more than a record can hold', (_, fields) => {
    expect(costOf(fields, { input: '999999999999999999', output: '0' })).toBe('out_of_range');
  });

  it('ends a range that a record cannot hold at the largest figure', () => {
    const fields = { provider: 'azure', service_tier: 'priority', input_tokens: 1_000_000_000 };

    expect(costOf(fields, { input: '500000000000000', output: '0' })).toMatchObject({
      central: '500000000000000000',
      high: '999999999999999999.999999999999',
    });
  });

  it('does not price output for a model without an output price', () => {
    expect(costOf({ output_tokens: 5 }, { input: '0.02' })).toBe('price_not_found');
  });

  it.each([
    [{ input_tokens: 10, cached_input_tokens: 8, cache_write_tokens: 3 }],
    [{ output_tokens: 10, reasoning_tokens: 11 }],
  ])('says usage_inconsistent for parts that exceed their whole: %o', (counts) => {
    const event = { ...call(), ...counts };

    expect(assessCost(event, { provider: 'a', model: 'b' }, MID_JULY, onePrice(FULL))).toBe(
      'usage_inconsistent',
    );
  });

  it('does not price calls whose tokens are of several kinds with several prices', () => {
    const image = { ...FULL, otherModalities: true };

    expect(costOf({ operation: 'image_generation' }, image)).toBe('unsupported_modality');
    expect(costOf({ operation: 'chat' }, image)).toMatchObject({ central: '0.0075' });
  });

  it('does not price tokens of a model charged by the hour or page', () => {
    expect(costOf({}, { otherModalities: true })).toBe('unsupported_modality');
  });
});
