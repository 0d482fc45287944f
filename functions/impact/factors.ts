import type { PriceObject } from '../../schemas/attribution/loadedPrices.ts';
import { CO2JS_VERSION } from './footprint/grid.ts';
import { ENERGY_METHOD } from './footprint/inferenceRates.ts';
import { PARAMETERS_VERSION } from './footprint/modelParameters.ts';
import { type Factors, IMPACT_RULES_VERSION } from './impact.ts';
import type { PriceSource } from './price/priceSheet.ts';

export type { Factors } from './impact.ts';

/** Prices a tenant agreed with a provider, with a version that changes whenever they do. */
export interface ContractPriceFactor {
  readonly version: string;
  readonly prices: PriceSource;
}

/**
 * The factors of every assessment. Order of price sources: contract, loaded prices, price lists, catalogue. A cost reported
 * by the producer takes precedence over all of them; the assessment applies it. The catalogue is shared between calls.
 */
export const loadFactors = async (
  options: { readonly contract?: ContractPriceFactor; readonly loaded?: PriceObject | null } = {},
): Promise<Factors> => {
  const { contract, loaded = null } = options;
  // 500 kB and 30 ms or more to evaluate: loaded when the first event needs it.
  const { pricesOf } = await import('./price/lists/listPrices.ts');
  const { versions: priceVersions, ...prices } = pricesOf(contract?.prices ?? null, loaded);
  const versions = [
    ...priceVersions,
    IMPACT_RULES_VERSION,
    ENERGY_METHOD,
    PARAMETERS_VERSION,
    `co2js@${CO2JS_VERSION}`,
  ];
  return {
    version: [...(contract === undefined ? [] : [contract.version]), ...versions].join('+'),
    ...prices,
  };
};
