import type { PriceObject } from '../../schemas/attribution/loadedPrices.ts';
import { memoizeAsync } from '../platform/shared/memoizeAsync.ts';
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
const listPricesModule = memoizeAsync<typeof import('./price/listPrices.ts')>(1);

/** Compiled once for each object, which a worker keeps until the next load. */
const compiled = new WeakMap<PriceObject, ListPrices>();

const loadListPrices = async (loaded: PriceObject | null): Promise<ListPrices> => {
  const { listPrices, withLoadedPrices } = await listPricesModule('', () => import('./price/listPrices.ts'));
  if (loaded === null) return listPrices;
  const known = compiled.get(loaded) ?? withLoadedPrices(loaded);
  compiled.set(loaded, known);
  return known;
};

/**
 * The factors of every assessment. Order of price sources: contract, loaded prices, price lists, catalogue. A cost reported by the producer
 * takes precedence over all of them; the assessment applies it. The catalogue is shared between calls.
 */
export const loadFactors = async (
  options: { readonly contract?: ContractPriceFactor; readonly loaded?: PriceObject | null } = {},
): Promise<Factors> => {
  const { contract, loaded = null } = options;
  const shared = await loadListPrices(loaded);
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
