import { describe, expect, it } from 'vitest';
import { costOf, FULL } from './costOf.ts';

const STATED = { cost_source: 'provider' } as const;

describe('the cost that the producer reports', () => {
  it('takes precedence over the catalogue, including zero, if who charges stated it', () => {
    expect(costOf({ estimated_cost_usd: '0', ...STATED })).toMatchObject({
      source: 'producer',
      catalogue: 'producer',
      low: '0',
      central: '0',
      high: '0',
      components: [{ kind: 'total', quantity: null, unit_price_usd_per_million: null, cost_usd: '0' }],
    });
  });

  it('is unchanged when its breakdown has a different sum', () => {
    const breakdown = { input: '0.1', output: '0.2' };
    const cost = costOf({ estimated_cost_usd: '0.50', cost_breakdown: breakdown, ...STATED });

    expect(cost).toMatchObject({
      low: '0.5',
      central: '0.5',
      high: '0.5',
      components: [{ kind: 'total', cost_usd: '0.5' }],
    });
  });

  it('is the sum of its breakdown when there is no total', () => {
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

  it('keeps a breakdown that sums to the total in any decimal spelling', () => {
    const cost = costOf({ estimated_cost_usd: '0.30', cost_breakdown: { input: '0.1', output: '0.200' } });

    expect(cost).toMatchObject({ components: [{ kind: 'input' }, { kind: 'output', cost_usd: '0.2' }] });
  });

  it('is absent when the breakdown is empty', () => {
    expect(costOf({ cost_breakdown: {} })).toMatchObject({ source: 'catalogue' });
  });

  it('does not require usage', () => {
    const fields = { estimated_cost_usd: '1.25', input_tokens: undefined, output_tokens: undefined };

    expect(costOf({ ...fields, cached_input_tokens: undefined })).toMatchObject({ central: '1.25' });
  });
});

describe('a reported zero of a call with usage', () => {
  it.each([
    ['a model that is free', { requested_model: 'qwen/qwen3-coder:free' }],
    ['a failed call', { status: 'error' }],
    ['a statement of who charges', STATED],
    ['a call without usage', { input_tokens: undefined, output_tokens: undefined }],
    ['a call of 0 tokens', { input_tokens: 0, output_tokens: 0 }],
  ])('is the cost of %s', (_, fields) => {
    const unknown = { cached_input_tokens: undefined };
    expect(costOf({ estimated_cost_usd: '0', ...unknown, ...fields })).toMatchObject({
      source: 'producer',
      low: '0',
      high: '0',
    });
  });

  it.each([
    ['without a source', {}],
    ['of an estimate', { cost_source: 'estimate' }],
    ['in parts', { estimated_cost_usd: undefined, cost_breakdown: { input: '0', output: '0' } }],
  ])('%s is not: the list price counts, and the explanation has the zero', (_, fields) => {
    expect(costOf({ estimated_cost_usd: '0', ...fields })).toMatchObject({
      source: 'catalogue',
      central: '0.0075',
      reported_usd: '0',
    });
  });

  it('leaves the cost unknown where no price is known', () => {
    expect(costOf({ estimated_cost_usd: '0', input_tokens: 5, output_tokens: undefined })).toBe(
      'usage_missing',
    );
  });

  it('is the cost if the contract has a price of 0', () => {
    const contract = { source: 'contract', input: '0', output: '0' } as const;

    expect(costOf({ estimated_cost_usd: '0' }, contract)).toMatchObject({ source: 'contract', high: '0' });
  });
});

describe('an estimate of a client', () => {
  it.each([
    ['0.006', { low: '0.006', central: '0.006', high: '0.0075' }],
    ['0.0075', { low: '0.0075', central: '0.0075', high: '0.0075' }],
    ['0.01', { low: '0.0075', central: '0.01', high: '0.01' }],
  ])('of %s has a range with the list price', (amount, range) => {
    const expected = { source: 'producer', uncertain: ['client_estimate'], ...range };

    expect(costOf({ estimated_cost_usd: amount, cost_source: 'estimate' })).toMatchObject(expected);
    expect(costOf({ estimated_cost_usd: amount })).toMatchObject(expected);
  });

  it('that nothing can be compared with is never exact', () => {
    const fields = { estimated_cost_usd: '1', input_tokens: undefined, cached_input_tokens: undefined };

    expect(costOf(fields)).toMatchObject({ low: '0.5', central: '1', high: '2' });
  });

  it('gives way to a contract price, unless the producer does not call it an estimate', () => {
    const contract = { ...FULL, source: 'contract' } as const;

    expect(costOf({ estimated_cost_usd: '7', cost_source: 'estimate' }, contract)).toMatchObject({
      source: 'contract',
      central: '0.0075',
      high: '0.0075',
      reported_usd: '7',
    });
    expect(costOf({ estimated_cost_usd: '7' }, contract)).toMatchObject({ low: '0.0075', central: '7' });
  });
});

describe('a call that is not paid by use', () => {
  it.each([
    [{ billing_mode: 'subscription' }, 'subscription'],
    [{ billing_mode: 'free' }, 'free'],
    [{ service_tier: 'provisioned' }, 'provisioned'],
    [{ service_tier: 'PROVISIONED_THROUGHPUT' }, 'provisioned'],
    [{ service_tier: 'GlobalProvisionedManaged' }, 'provisioned'],
    [{ service_tier: 'reserved' }, 'provisioned'],
    [{ service_tier: 'scale' }, 'provisioned'],
    [{ billing_mode: 'subscription', estimated_cost_usd: '0.9' }, 'subscription'],
  ])('%o costs nothing, and shows its list price', (fields, billing) => {
    expect(costOf(fields)).toMatchObject({
      source: 'unmetered',
      billing_mode: billing,
      low: '0',
      central: '0',
      high: '0',
      list_price_usd: '0.0075',
      components: [{ kind: 'total', cost_usd: '0' }],
    });
  });

  it('costs what the tenant agreed for such calls', () => {
    const contract = { ...FULL, source: 'contract' } as const;

    expect(costOf({ billing_mode: 'provisioned' }, contract)).toMatchObject({
      source: 'contract',
      billing_mode: 'provisioned',
      central: '0.0075',
    });
  });

  it('is metered if the producer says so', () => {
    expect(costOf({ billing_mode: 'metered', service_tier: 'scale' })).toMatchObject({ source: 'catalogue' });
  });
});
