import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact, type Factors } from '../../../functions/impact/impact.ts';
import { call, MID_JULY } from '../calls.ts';

describe('the carbon of a call', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });
  const carbonOf = (fields: Record<string, unknown>) => assessImpact(call(fields), MID_JULY, factors);

  it('is metered energy times grid intensity, and all factors are recorded', () => {
    const { carbon } = carbonOf({ energy_wh: '1000', region: 'us-east-1', requested_model: 'unheard-of' });

    expect(carbon).toEqual({
      method: 'location-based',
      version: 'electricity-maps-2025@0.19.0',
      zone: 'US-MIDA-PJM',
      zone_basis: 'region',
      year: 2025,
      intensity_gco2e_per_kwh: '418',
      gsd: 1.1843,
      low: '316.461606100763',
      central: '418',
      high: '552.117529051429',
      components: { usage_gco2e: '418', embodied_gco2e: '0' },
    });
  });

  it('adds hardware carbon to metered energy for a model of known size', () => {
    const { carbon } = carbonOf({ energy_wh: '0', region: 'us-east-1', output_tokens: 300 });

    // 16 GPUs of 164 kg and two servers of 5,700 kg over three years, shared by 64: 0.002312 g/s for 29.8 s
    expect(carbon?.components).toEqual({ usage_gco2e: '0', embodied_gco2e: '0.034445371192' });
  });

  it('limits the hardware share by the latency of the request', () => {
    const slow = carbonOf({ latency_ms: 600_000 }).carbon?.components?.embodied_gco2e;
    const fast = carbonOf({ latency_ms: 1_000 }).carbon?.components?.embodied_gco2e;

    expect(Number(fast)).toBeLessThan(Number(slow) / 20);
    expect(slow).toBe(carbonOf({}).carbon?.components?.embodied_gco2e);
  });

  it('has a wider range for a less precise location', () => {
    const gsd = (fields: Record<string, unknown>) => carbonOf(fields).carbon?.gsd;

    expect(gsd({ region: 'us-east-1' })).toBe(2.5266);
    expect(gsd({ region: 'us' })).toBe(2.5938);
    expect(gsd({})).toBe(2.8005);
  });

  it('is the figure that the producer reports', () => {
    const { carbon } = carbonOf({ carbon_gco2e: '2.50', requested_model: 'unheard-of' });

    expect(carbon).toMatchObject({ method: 'producer', central: '2.5', zone: null, components: null });
  });

  it('is unknown when the energy is unknown', () => {
    const { carbon, unknown } = carbonOf({ requested_model: 'unheard-of' });

    expect(carbon).toBeNull();
    expect(unknown).toMatchObject({ energy: 'model_unknown', carbon: 'energy_unknown' });
  });
});
