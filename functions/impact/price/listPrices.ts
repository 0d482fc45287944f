import * as library from '@pydantic/genai-prices';
import { CATALOGUE_VERSION, cataloguePrices } from './catalogue.ts';
import { inferredPrices } from './inferredPrices.ts';
import type { PriceFactors } from './listCost.ts';
import lists from './priceList.json' with { type: 'json' };
import { listedPrices, type PriceList, priceListVersion } from './priceList.ts';
import type { PriceRules } from './priceRules.ts';
import { firstMatchOf } from './priceSheet.ts';
import { publishedRules } from './publishedRules.ts';
import { withRegionalPrices } from './regionalPrices.ts';
import { FIREWORKS_VERSION, fireworksSizePrices, gatewayPrices, VENDOR_PRICED } from './resellerPrices.ts';
import { type SourceStatements, withSourceStatements } from './sourceStatements.ts';

/** All published prices: lists of models, what other sources state about them, and rules over many models. */
export interface PriceFile {
  readonly lists: readonly PriceList[];
  readonly completions: readonly PriceList[];
  readonly disagreements: readonly PriceList[];
  readonly rules: PriceRules;
}

export interface ListPrices extends PriceFactors {
  readonly versions: readonly string[];
}

/** Statements about a gateway complete the vendor's price that it charges. All others complete a price of the provider. */
const statementsAbout = (
  { completions, disagreements }: PriceFile,
  isAbout: (provider: string) => boolean,
): SourceStatements => ({
  completions: completions.filter(({ provider }) => isAbout(provider)),
  disagreements: disagreements.filter(({ provider }) => isAbout(provider)),
});

/** The public prices of all providers, from a file of prices and the catalogue, and the versions of their tables. */
export const listPricesOf = (file: PriceFile): ListPrices => {
  const { rules } = file;
  const listed = listedPrices(file.lists, priceListVersion(file.lists, file), rules);
  const known = firstMatchOf([listed, cataloguePrices(library, rules), fireworksSizePrices]);
  const ofProviders = withSourceStatements(
    withRegionalPrices(rules, listed, known),
    statementsAbout(file, (provider) => !VENDOR_PRICED.has(provider)),
  );
  const ofGateways = withSourceStatements(
    gatewayPrices(ofProviders),
    statementsAbout(file, (provider) => VENDOR_PRICED.has(provider)),
  );
  return {
    versions: [CATALOGUE_VERSION, listed.version, FIREWORKS_VERSION],
    prices: inferredPrices(ofGateways),
    rules,
  };
};

/**
 * The prices that this version of the service was built with. Import this file dynamically: it contains the price
 * catalogue.
 */
export const listPrices: ListPrices = listPricesOf({ ...lists, rules: publishedRules });
