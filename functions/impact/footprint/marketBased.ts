import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { MarketBasedCarbon } from '../../../schemas/attribution/footprintExplanation.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import factors from './marketBased.json' with { type: 'json' };
import { classOfDeviation, ENERGY_UNCERTAINTY, rangeAround } from './uncertainty.ts';

/**
 * What operators of data centres publish, in gCO2e per kWh after their contracts for electricity, over their data centres. A
 * provider that only says how much renewable energy it buys, or that rents its machines, has none: a residual mix would be a
 * guess about its contracts.
 */
const factorOf = (provider: string) => factors.find((factor) => factor.provider === provider);

const WH_TO_KWH = decimal('0.001');

/** Market-based carbon of the electricity of a call (GHG Protocol, scope 2). Null if the provider publishes no factor. */
export const marketBasedCarbon = (provider: string, energy: EnergyExplanation): MarketBasedCarbon | null => {
  const factor = factorOf(provider);
  if (factor === undefined) return null;
  const { grams_per_kwh: gramsPerKwh, year, source } = factor;
  const grams = decimal(energy.central).times(WH_TO_KWH).times(gramsPerKwh);
  const { low, central, high } = rangeAround(grams, ENERGY_UNCERTAINTY[classOfDeviation(energy.gsd)]);
  return { usage_gco2e: central, low, high, intensity_gco2e_per_kwh: gramsPerKwh, year, source };
};
