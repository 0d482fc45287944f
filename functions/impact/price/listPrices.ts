import * as library from '@pydantic/genai-prices';
import { CATALOGUE_VERSION, cataloguePrices } from './catalogue.ts';
import file from './priceList.json' with { type: 'json' };
import { listedPrices } from './priceList.ts';
import { firstMatchOf, type PriceSource } from './priceSheet.ts';
import { withRegionalPrices } from './regionalPrices.ts';
import { FIREWORKS_VERSION, fireworksSizePrices, gatewayPrices } from './resellerPrices.ts';
import { withSearchFees } from './searchFees.ts';

export interface ListPrices {
  readonly versions: readonly string[];
  readonly prices: PriceSource;
}

const listed = listedPrices(file.lists);

/**
 * The public prices of all providers, and the versions of their tables. Import this file dynamically: it contains the
 * price catalogue.
 */
export const listPrices: ListPrices = {
  versions: [CATALOGUE_VERSION, listed.version, FIREWORKS_VERSION],
  prices: gatewayPrices(
    withSearchFees(
      withRegionalPrices(listed, firstMatchOf([listed, cataloguePrices(library), fireworksSizePrices])),
    ),
  ),
};
