import { describe, expect, it } from 'vitest';
import { costOf, FULL } from './costOf.ts';

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
  ])('returns a range for %o, because no price page states a multiplier', (fields, high) => {
    expect(costOf(fields)).toMatchObject({
      service_tier_multiplier: null,
      low: '0.00375',
      central: '0.0075',
      high,
    });
  });

  it.each([
    [{ service_tier: 'flex' }, 'openai', '0.5'],
    [{ batch: true }, 'anthropic', '0.5'],
    [{ service_tier: 'flex' }, undefined, null],
  ])('of an unknown provider with %o are those of who sells the model: %s', (fields, soldBy, multiplier) => {
    const cost = costOf({ ...fields, provider: 'unknown' }, { ...FULL, soldBy });

    expect(cost).toMatchObject({ service_tier_multiplier: multiplier });
  });

  it('returns a range and no multiplier for a tier without a known price', () => {
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
