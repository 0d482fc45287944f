import * as library from '@pydantic/genai-prices';
import { CATALOGUE_VERSION, cataloguePrices } from './catalogue.ts';
import { inferredPrices } from './inferredPrices.ts';
import file from './priceList.json' with { type: 'json' };
import { listedPrices, priceListVersion } from './priceList.ts';
import { firstMatchOf, type PriceSource } from './priceSheet.ts';
import { withRegionalPrices } from './regionalPrices.ts';
import { FIREWORKS_VERSION, fireworksSizePrices, gatewayPrices, VENDOR_PRICED } from './resellerPrices.ts';
import { withSearchFees } from './searchFees.ts';
import { type SourceStatements, withSourceStatements } from './sourceStatements.ts';

export interface ListPrices {
  readonly versions: readonly string[];
  readonly prices: PriceSource;
}

const listed = listedPrices(file.lists, priceListVersion(file.lists, file));

/** Statements about a gateway complete the vendor's price that it charges. All others complete a price of the provider. */
const statementsAbout = (isAbout: (provider: string) => boolean): SourceStatements => ({
  completions: file.completions.filter(({ provider }) => isAbout(provider)),
  disagreements: file.disagreements.filter(({ provider }) => isAbout(provider)),
});

/**
 * The public prices of all providers, and the versions of their tables. Import this file dynamically: it contains the
 * price catalogue.
 */
export const listPrices: ListPrices = {
  versions: [CATALOGUE_VERSION, listed.version, FIREWORKS_VERSION],
  prices: inferredPrices(
    withSourceStatements(
      gatewayPrices(
        withSourceStatements(
          withSearchFees(
            withRegionalPrices(listed, firstMatchOf([listed, cataloguePrices(library), fireworksSizePrices])),
          ),
          statementsAbout((provider) => !VENDOR_PRICED.has(provider)),
        ),
      ),
      statementsAbout((provider) => VENDOR_PRICED.has(provider)),
    ),
  ),
};
