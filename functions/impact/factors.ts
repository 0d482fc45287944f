import { CO2JS_VERSION } from './footprint/grid.ts';
import { ENERGY_METHOD } from './footprint/inferenceRates.ts';
import { PARAMETERS_VERSION } from './footprint/modelParameters.ts';
import { type Factors, IMPACT_RULES_VERSION } from './impact.ts';
import type { ListPrices } from './price/listPrices.ts';
import { firstMatchOf, type PriceSource } from './price/priceSheet.ts';

export type { Factors } from './impact.ts';

/** Prices a tenant agreed with a provider, with a version that changes whenever they do. */
export interface ContractPriceFactor {
  readonly version: string;
  readonly prices: PriceSource;
}

// 500 kB and 30 ms or more to evaluate: loaded once, when the first event needs it.
let loading: Promise<ListPrices> | undefined;

const loadListPrices = async (): Promise<ListPrices> => {
  loading ??= import('./price/listPrices.ts').then(({ listPrices }) => listPrices);
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
};

/**
 * The factors of every assessment. Order of price sources: contract, price lists, catalogue. A cost reported by the producer
 * takes precedence over all of them; the assessment applies it. The catalogue is shared between calls.
 */
export const loadFactors = async (
  options: { readonly contract?: ContractPriceFactor } = {},
): Promise<Factors> => {
  const { contract } = options;
  const shared = await loadListPrices();
  const versions = [
    ...shared.versions,
    IMPACT_RULES_VERSION,
    ENERGY_METHOD,
    PARAMETERS_VERSION,
    `co2js@${CO2JS_VERSION}`,
  ];
  return {
    version: [...(contract === undefined ? [] : [contract.version]), ...versions].join('+'),
    rules: shared.rules,
    prices: firstMatchOf([...(contract === undefined ? [] : [contract.prices]), shared.prices]),
  };
};
