import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { call, MID_JULY } from './calls.ts';

describe('assessImpact', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  it('returns cost, energy and carbon for a call with all members', () => {
    const impact = assessImpact(call({ region: 'us-east-1', cached_input_tokens: 200 }), MID_JULY, factors);

    expect(impact).toMatchObject({
      cost: { central: '0.00525', source: 'catalogue', price_match: 'exact' },
      energy: { central: '0.368056830258', class: 'C', method: 'ecologits-0.9.3-8bit' },
      carbon: { zone: 'US-MIDA-PJM' },
    });
    expect(impact.unknown).toEqual({});
  });

  it('returns a reason instead of each figure for a failed call without usage', () => {
    const event = call({
      status: 'error',
      input_tokens: undefined,
      cached_input_tokens: undefined,
      output_tokens: undefined,
    });

    expect(assessImpact(event, MID_JULY, factors)).toEqual({
      cost: null,
      energy: null,
      carbon: null,
      water: null,
      unknown: { cost: 'usage_missing', energy: 'usage_missing', carbon: 'energy_unknown' },
    });
  });

  it('distinguishes a reported zero from an unknown figure', () => {
    const event = call({
      estimated_cost_usd: '0',
      cost_source: 'provider',
      energy_wh: '0',
      carbon_gco2e: '0',
      requested_model: 'unheard-of',
    });

    const { cost, energy, carbon, unknown } = assessImpact(event, MID_JULY, factors);

    expect([cost?.central, energy?.central, carbon?.central]).toEqual(['0', '0', '0']);
    expect(unknown).toEqual({});
  });
});
