import { CO2JS_VERSION } from './footprint/grid.ts';
import { ENERGY_METHOD } from './footprint/inferenceRates.ts';
import { PARAMETERS_VERSION } from './footprint/modelParameters.ts';
import { type Factors, IMPACT_RULES_VERSION } from './impact.ts';
import { CATALOGUE_VERSION, cataloguePrices } from './price/catalogue.ts';
import { overridePriceSource, PRICE_OVERRIDES_VERSION } from './price/priceOverrides.ts';
import { firstMatchOf, type PriceSource } from './price/priceSheet.ts';

export type { Factors } from './impact.ts';

/** Prices a tenant agreed with a provider, with a version that changes whenever they do. */
export interface ContractPriceFactor {
  readonly version: string;
  readonly prices: PriceSource;
}

// 480 kB and 30 ms or more to evaluate: loaded once, when the first event needs it.
let loading: Promise<PriceSource> | undefined;

const catalogue = async (): Promise<PriceSource> => {
  loading ??= import('@pydantic/genai-prices').then(cataloguePrices);
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
};

/**
 * The factors of every assessment. Order of price sources: contract, overrides, catalogue. A cost
 * reported by the producer takes precedence over all of them; the assessment applies it. The catalogue is shared between calls.
 */
export const loadFactors = async (
  options: { readonly contract?: ContractPriceFactor } = {},
): Promise<Factors> => {
  const { contract } = options;
  const shared = await catalogue();
  const versions = [
    CATALOGUE_VERSION,
    PRICE_OVERRIDES_VERSION,
    IMPACT_RULES_VERSION,
    ENERGY_METHOD,
    PARAMETERS_VERSION,
    `co2js@${CO2JS_VERSION}`,
  ];
  return {
    version: [...(contract === undefined ? [] : [contract.version]), ...versions].join('+'),
    prices: firstMatchOf([...(contract === undefined ? [] : [contract.prices]), overridePriceSource, shared]),
  };
};
