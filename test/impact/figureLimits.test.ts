import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFactors } from '../../functions/impact/factors.ts';
import { ENERGY_UNCERTAINTY, rangeAround } from '../../functions/impact/footprint/uncertainty.ts';
import { assessImpact, type Factors } from '../../functions/impact/impact.ts';
import { decimal } from '../../functions/platform/shared/decimal.ts';
import { CostExplanation } from '../../schemas/attribution/costExplanation.ts';
import { CarbonExplanation, EnergyExplanation } from '../../schemas/attribution/explanation.ts';
import { call, MID_JULY } from './calls.ts';

const LARGEST = '999999999999999999.999999999999';

describe('figures at the limits of a record', () => {
  let factors: Factors;
  beforeAll(async () => {
    factors = await loadFactors();
  });

  it('conform to the schema for any reported values', () => {
    const figure = fc.constantFrom(undefined, '0', '0.000000000001', '900000000000000000', LARGEST);
    const count = fc.constantFrom(undefined, 0, 1, 1_000_000_000);
    const fields = fc.record({
      estimated_cost_usd: figure,
      cost_breakdown: fc.record({ input: figure, output: figure }),
      energy_wh: figure,
      carbon_gco2e: figure,
      input_tokens: count,
      cached_input_tokens: fc.constant(undefined),
      output_tokens: count,
      region: fc.constantFrom(undefined, 'af-south-1', 'global'),
      requested_model: fc.constantFrom('gpt-4o', 'o1-pro', 'unheard-of'),
    });

    fc.assert(
      fc.property(fields, (stated) => {
        const { cost, energy, carbon, unknown } = assessImpact(call(stated), MID_JULY, factors);

        expect(cost === null || CostExplanation.safeParse(cost).success).toBe(true);
        expect(energy === null || EnergyExplanation.safeParse(energy).success).toBe(true);
        expect(carbon === null || CarbonExplanation.safeParse(carbon).success).toBe(true);
        expect([cost, energy, carbon].map((known) => known === null)).toEqual(
          [unknown.cost, unknown.energy, unknown.carbon].map((reason) => reason !== undefined),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('limit the range of the largest figure to that figure', () => {
    expect(rangeAround(decimal(LARGEST), ENERGY_UNCERTAINTY.A)).toMatchObject({
      central: LARGEST,
      high: LARGEST,
    });
  });

  it('set the largest reported energy and carbon aside', () => {
    const reported = { energy_wh: LARGEST, carbon_gco2e: LARGEST };

    expect(assessImpact(call(reported), MID_JULY, factors).setAside).toEqual(reported);
  });
});
