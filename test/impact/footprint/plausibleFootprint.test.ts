import { averageIntensity } from '@tgwf/co2/data';
import { yearly2025 } from '@tgwf/co2/data/electricity-maps';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { closedModels } from '../../../functions/impact/footprint/closedModels.ts';
import { PUE_OF_REGION } from '../../../functions/impact/footprint/dataCentre.ts';
import { METERED } from '../../../functions/impact/footprint/energy.ts';
import { generate } from '../../../functions/impact/footprint/generation.ts';
import { inferenceRates } from '../../../functions/impact/footprint/inferenceRates.ts';
import { openModels } from '../../../functions/impact/footprint/openModels.ts';
import {
  HIGHEST_GRAMS_PER_KWH,
  HIGHEST_WH_PER_TOKEN,
} from '../../../functions/impact/footprint/plausibleFootprint.ts';
import { SIZES_BY_NAME } from '../../../functions/impact/footprint/sizeClasses.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { call, MID_JULY } from '../calls.ts';

const factors = await loadFactors();
const impactOf = (fields: Record<string, unknown>) => assessImpact(call(fields), MID_JULY, factors);
const few = { input_tokens: 100, output_tokens: 100 };

describe('reported energy and carbon', () => {
  it.each([
    ['a few tokens', few, '1000', '1000.000001'],
    ['a million tokens', { input_tokens: 1_000_000, output_tokens: 0 }, '3000000', '3000000.1'],
    ['no usage', { input_tokens: undefined, output_tokens: undefined }, '30000000', '30000000.1'],
    ['a billion tokens', { input_tokens: 1e9, output_tokens: 1e9 }, '30000000', '30000000.1'],
    ['images', { ...few, images: 4 }, '30000000', '30000000.1'],
  ])('of %s count up to what the usage explains, and are set aside above', (_, usage, most, more) => {
    const estimate = impactOf(usage);
    const counted = impactOf({ ...usage, energy_wh: most, carbon_gco2e: most });
    const grams = String(Number(most) * 1.4 + 1);
    const above = impactOf({ ...usage, energy_wh: more, carbon_gco2e: grams });

    expect(counted).toMatchObject({ energy: { method: METERED, central: most }, carbon: { central: most } });
    expect(counted).not.toHaveProperty('setAside');
    expect(above.setAside).toEqual({ energy_wh: more, carbon_gco2e: grams });
    expect([above.energy, above.carbon, above.water, above.unknown]).toEqual([
      estimate.energy,
      estimate.carbon,
      estimate.water,
      estimate.unknown,
    ]);
  });

  it('set one another not aside', () => {
    expect(impactOf({ ...few, energy_wh: '5', carbon_gco2e: '1000000000' })).toMatchObject({
      energy: { method: METERED, central: '5' },
      carbon: { method: 'location-based' },
      setAside: { carbon_gco2e: '1000000000' },
    });
  });

  it('never raise the record above ten times the highest energy of its tokens, or 1,000 Wh', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(200_000), fc.bigInt(1n, 10n ** 17n), (input, output, wh) => {
        const { energy, setAside } = impactOf({
          input_tokens: input,
          cached_input_tokens: 0,
          output_tokens: output,
          energy_wh: String(wh),
        });
        const most = Math.max(1_000, (input + output) * Number(HIGHEST_WH_PER_TOKEN) * 10);

        expect(Number(energy?.central)).toBeLessThanOrEqual(most);
        expect(setAside === undefined).toBe(Number(wh) <= most);
      }),
    );
  });

  it('are bounded by more than any listed model needs in any region', () => {
    const pue = { min: '1', max: [...PUE_OF_REGION.values()].toSorted().at(-1) ?? '' };
    const highest = [...closedModels, ...openModels, ...SIZES_BY_NAME].map(([, size]) => {
      const rates = inferenceRates(size, pue);
      return Math.max(
        Number(generate(rates, 1, undefined).energyWh.max.toFixed()),
        Number(rates.inputWhPerToken.toFixed()),
      );
    });

    expect(Math.max(...highest)).toBeLessThanOrEqual(Number(HIGHEST_WH_PER_TOKEN));
    expect(Math.max(...highest)).toBeGreaterThan(Number(HIGHEST_WH_PER_TOKEN) / 2);
  });

  it('are bounded by more than any grid emits', () => {
    const grids = [
      ...Object.values(averageIntensity.data),
      ...Object.values(yearly2025.data).map(({ carbonIntensity }) => carbonIntensity.value),
    ];

    expect(Math.max(...grids)).toBeLessThanOrEqual(Number(HIGHEST_GRAMS_PER_KWH));
  });
});
