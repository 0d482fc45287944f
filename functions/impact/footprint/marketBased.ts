import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { MarketBasedCarbon } from '../../../schemas/attribution/footprintExplanation.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { ENERGY_UNCERTAINTY, estimateClass, rangeAround } from './uncertainty.ts';

interface MarketFactor {
  /** gCO2e per kWh after the contracts of the operator for electricity, over its data centres. */
  readonly gramsPerKwh: string;
  readonly year: number;
  readonly source: string;
}

/**
 * Factors that operators of data centres publish, by provider. A provider that only says how much renewable energy it buys, or
 * that rents its machines, has none: a residual mix would be a guess about its contracts.
 */
const MARKET_FACTORS: ReadonlyMap<string, MarketFactor> = new Map([
  ['google', { gramsPerKwh: '94', year: 2024, source: 'https://arxiv.org/abs/2508.15734' }],
  // All electricity of 2024 was matched with renewable energy.
  ['aws', { gramsPerKwh: '0', year: 2024, source: 'https://aws.amazon.com/about-aws/sustainability/' }],
]);

const WH_TO_KWH = decimal('0.001');

/** Market-based carbon of the electricity of a call (GHG Protocol, scope 2). Null if the provider publishes no factor. */
export const marketBasedCarbon = (provider: string, energy: EnergyExplanation): MarketBasedCarbon | null => {
  const factor = MARKET_FACTORS.get(provider);
  if (factor === undefined) return null;
  const { gramsPerKwh, year, source } = factor;
  const grams = decimal(energy.central).times(WH_TO_KWH).times(gramsPerKwh);
  const { low, central, high } = rangeAround(
    grams,
    ENERGY_UNCERTAINTY[estimateClass(energy.class, energy.components)],
  );
  return { usage_gco2e: central, low, high, intensity_gco2e_per_kwh: gramsPerKwh, year, source };
};
