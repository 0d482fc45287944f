import { CO2JS } from './footprint/grid.ts';
import { METHOD } from './footprint/inferenceRates.ts';
import { PARAMETERS } from './footprint/modelParameters.ts';
import { type Factors, IMPACT_RULES } from './impact.ts';
import { CATALOGUE, cataloguePrices } from './price/catalogue.ts';
import { OVERRIDES, overridePrices } from './price/overrides.ts';
import { type PriceSource, priceLadder } from './price/priceSheet.ts';

export type { Factors } from './impact.ts';

/** Prices a tenant agreed with a provider, with a version that changes whenever they do. */
export interface ContractPrices {
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
 * The factors of every assessment. The ladder of prices: contract, then our overrides, then the catalogue; a producer's
 * own cost comes before all of them, in the assessment. The catalogue is shared between calls.
 */
export const loadFactors = async (options: { readonly contract?: ContractPrices } = {}): Promise<Factors> => {
  const { contract } = options;
  const shared = await catalogue();
  const versions = [CATALOGUE, OVERRIDES, IMPACT_RULES, METHOD, PARAMETERS, `co2js@${CO2JS}`];
  return {
    version: [...(contract === undefined ? [] : [contract.version]), ...versions].join('+'),
    prices: priceLadder([...(contract === undefined ? [] : [contract.prices]), overridePrices, shared]),
  };
};
