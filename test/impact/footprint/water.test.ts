import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { call, MID_JULY } from '../calls.ts';

const factors = await loadFactors();
const impactOf = (members: Record<string, unknown>) =>
  assessImpact(call({ requested_model: 'gemini-2.5-flash', ...members }), MID_JULY, factors);

describe('the water of a call', () => {
  it('is that of the data centre and of the electricity, with the factors of both', () => {
    const { water } = impactOf({ provider: 'aws', region: 'eu-central-1', energy_wh: '1150' });

    // 1 kWh of machines at 0.135 L, and 1.15 kWh of electricity at 1.947 L.
    expect(water).toMatchObject({
      on_site_ml: '135',
      electricity_ml: '2239.05',
      central: '2374.05',
      wue_l_per_kwh: '0.135',
      electricity_l_per_kwh: '1.947',
    });
    expect(Number(water?.low)).toBeLessThan(1_300);
    expect(Number(water?.high)).toBeGreaterThan(4_500);
  });

  it('contains on site what Google measured for a median prompt', () => {
    const { water } = impactOf({ provider: 'google', energy_wh: '0.24' });

    expect(Number(water?.on_site_ml)).toBeCloseTo(0.26, 1);
  });

  it.each([
    ['of a provider that publishes no figure', { provider: 'deepseek', energy_wh: '1' }],
    ['in a country without a figure', { provider: 'azure', region: 'qatarcentral', energy_wh: '1' }],
    ['without energy', { provider: 'aws', operation: 'image_generation' }],
  ])('is unknown, not zero, for a call %s', (_, members) => {
    expect(impactOf(members).water).toBeNull();
  });
});

describe('the market-based carbon of a call', () => {
  it('is beside the location-based one, with the factor that the operator publishes, its year and its source', () => {
    const { carbon } = impactOf({ provider: 'google', region: 'us-central1', energy_wh: '1000' });

    expect(carbon?.market_based).toMatchObject({
      usage_gco2e: '94',
      intensity_gco2e_per_kwh: '94',
      year: 2024,
      source: 'https://arxiv.org/abs/2508.15734',
    });
    expect(Number(carbon?.market_based?.low)).toBeLessThan(94);
    expect(carbon?.components?.usage_gco2e).not.toBe('94');
  });

  it.each(['openai', 'azure', 'mistral'])('is absent for %s, which publishes none', (provider) => {
    expect(impactOf({ provider, energy_wh: '1000' }).carbon).not.toHaveProperty('market_based');
  });
});

it.each([
  ['cohere', 'rerank-v3.5', undefined],
  ['voyageai', 'rerank-2', 'rerank'],
])(
  'the energy of the rerank model %s %s is unknown, because nobody publishes it',
  (provider, model, operation) => {
    const { energy, water, unknown } = impactOf({ provider, requested_model: model, operation });

    expect([energy, water, unknown.energy]).toEqual([null, null, 'unsupported_modality']);
  },
);
