import * as library from '@pydantic/genai-prices';
import type { PriceObject } from '../../../../schemas/attribution/loadedPrices.ts';
import type { AliasList, PriceList, VariantRule } from '../../../../schemas/attribution/publishedPrices.ts';
import { movingAliases, publishedAliases } from '../../usage/aliasLists.ts';
import type { MovingAliases } from '../../usage/movingAliases.ts';
import { CATALOGUE_VERSION, cataloguePrices } from '../catalogue.ts';
import type { PriceFactors } from '../listCost.ts';
import { firstMatchOf, type PriceSource } from '../priceSheet.ts';
import { withLoadedRules } from '../rules/loadedRules.ts';
import variants from '../rules/modelVariants.json' with { type: 'json' };
import type { PriceRules } from '../rules/priceRules.ts';
import { publishedRules } from '../rules/publishedRules.ts';
import { withRegionalPrices } from '../rules/regionalPrices.ts';
import { aliasPrices } from './aliasPrices.ts';
import { inferredPrices } from './inferredPrices.ts';
import lists from './priceList.json' with { type: 'json' };
import { listedPrices, priceListVersion } from './priceList.ts';
import {
  FIREWORKS_VERSION,
  fireworksSizePrices,
  freeVariants,
  gatewayPrices,
  VENDOR_PRICED,
} from './resellerPrices.ts';
import { type SourceStatements, withSourceStatements } from './sourceStatements.ts';

/** All published prices: lists of models, what other sources state about them, and rules over many models. */
interface PriceFile {
  readonly variants: readonly VariantRule[];
  readonly aliases: readonly AliasList[];
  readonly lists: readonly PriceList[];
  readonly completions: readonly PriceList[];
  readonly disagreements: readonly PriceList[];
  readonly rules: PriceRules;
}

export interface ListPrices extends PriceFactors {
  readonly aliases: MovingAliases;
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

/** Where the catalogue knows an alias, the price that the lists have for the model it names precedes that of the catalogue. */
const listedUnderName = (listed: PriceSource, catalogue: PriceSource): PriceSource => ({
  find(provider, model, ...call) {
    const sheet = catalogue.find(provider, model, ...call);
    const named = sheet?.match === 'alias' ? listed.find(provider, sheet.pricedModel, ...call) : null;
    return named === null ? sheet : { ...named, match: 'alias' };
  },
});

/**
 * The public prices of all providers, from a file of prices, the catalogue, and what operators loaded, and the versions of
 * their tables.
 */
const listPricesOf = (file: PriceFile, { loads }: Pick<PriceObject, 'loads'>): ListPrices => {
  const rules = withLoadedRules(file.rules, loads);
  const listed = listedPrices(
    file.lists,
    priceListVersion(file.lists, file),
    rules,
    loads.map(({ version, prices }) => ({ version, lists: prices.lists })),
  );
  const catalogue = listedUnderName(listed, cataloguePrices(library, rules));
  const known = firstMatchOf([listed, freeVariants, catalogue, fireworksSizePrices]);
  const aliases = movingAliases(
    file.aliases,
    loads.map(({ version, prices }) => ({ version, aliases: prices.aliases })),
  );
  const ofProviders = aliasPrices(
    aliases,
    withSourceStatements(
      withRegionalPrices(rules, listed, known),
      statementsAbout(file, (provider) => !VENDOR_PRICED.has(provider)),
    ),
  );
  const ofGateways = withSourceStatements(
    gatewayPrices(ofProviders),
    statementsAbout(file, (provider) => VENDOR_PRICED.has(provider)),
  );
  return {
    versions: [
      CATALOGUE_VERSION,
      listed.version,
      FIREWORKS_VERSION,
      ...loads.slice(-1).map(({ version }) => version),
    ],
    prices: inferredPrices(file.variants, ofGateways),
    rules,
    aliases,
  };
};

const file: PriceFile = { ...lists, rules: publishedRules, variants, aliases: publishedAliases };

/**
 * The prices that this version of the service was built with. Import this file dynamically: it contains the price
 * catalogue.
 */
export const listPrices: ListPrices = listPricesOf(file, { loads: [] });

/** Compiled once for each object, which a worker keeps until the next load. */
const compiled = new WeakMap<PriceObject, ListPrices>();

/** These prices, with those that operators loaded. */
const listPricesWith = (loaded: PriceObject | null): ListPrices => {
  if (loaded === null) return listPrices;
  const known = compiled.get(loaded) ?? listPricesOf(file, loaded);
  compiled.set(loaded, known);
  return known;
};

/** These prices after those of a contract, if there is one. The cost of a call and every report about it use this order. */
export const pricesOf = (contract: PriceSource | null, loaded: PriceObject | null): ListPrices => {
  const published = listPricesWith(loaded);
  return contract === null
    ? published
    : {
        ...published,
        prices: firstMatchOf([contract, published.prices]),
        published: published.prices,
      };
};
