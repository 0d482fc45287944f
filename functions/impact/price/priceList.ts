import type { Prices } from '../../../schemas/attribution/unitPrices.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { requestHighOf, withModelRules } from './modelRules.ts';
import { bandsOf, type PriceSheets, sheetAt, sheetsOf } from './priceBands.ts';
import type { PriceRules } from './priceRules.ts';
import type { PriceSheet, PriceSource } from './priceSheet.ts';
import { publishedRules } from './publishedRules.ts';

/** The prices of a model in a list, in the members of a contract price. */
export interface ListedPrice extends Prices {
  /** Highest price of a million searches, where it depends on a size that events do not report. */
  readonly search_high?: string | undefined;
  /** Price members of the source for which this format has no kind, such as prices per second. */
  readonly not_held?: readonly string[] | undefined;
}

/** A price from a day (UTC) on. `ended`: the price catalogue applies again. */
export interface DatedPrice extends ListedPrice {
  readonly from: string;
  readonly ended?: boolean | undefined;
}

/** The prices of some models of one provider, from one source. */
export interface PriceList {
  readonly provider: string;
  /** Regions for which the prices apply. Without regions they are the default prices of the provider. */
  readonly regions?: readonly string[] | undefined;
  readonly source: string;
  /** Day on which the prices were compared with the source. */
  readonly checked: string;
  /** Prices by model id in lower case. */
  readonly models: Readonly<Record<string, ListedPrice | readonly DatedPrice[]>>;
}

interface DatedSheets {
  readonly from: number;
  /** Null where the price catalogue applies again. */
  readonly sheets: PriceSheets | null;
}

/** Names lists by date and content, so that each record names the prices it used. */
export const priceListVersion = (lists: readonly PriceList[], content: unknown = lists): string => {
  const checked = lists.reduce((latest, list) => (list.checked > latest ? list.checked : latest), '');
  const digest = sha256Of('price lists', JSON.stringify(content)).toString('hex').slice(0, 8);
  return `prices-${checked}-${digest}`;
};

const keyOf = (provider: string, region: string, model: string): string => `${provider} ${region} ${model}`;

const OTHER_MODALITY = /audio|image|second|pixel|page|video|character/;

/** What the prices of a list depend on besides the list. */
interface Compilation {
  readonly version: string;
  readonly rules: PriceRules;
}

const sheetsFor = (
  provider: string,
  model: string,
  price: ListedPrice,
  { version, rules }: Compilation,
): PriceSheets =>
  sheetsOf(withModelRules(rules, provider, model, bandsOf(price)), {
    source: 'override',
    catalogue: version,
    match: 'exact',
    pricedModel: model,
    otherModalities: [...Object.keys(price), ...(price.not_held ?? [])].some((name) =>
      OTHER_MODALITY.test(name),
    ),
    searchHigh: price.search_high,
    requestHigh: requestHighOf(rules, provider, model),
  });

const START_OF_TIME = '0000-01-01';

const isDated = (prices: ListedPrice | readonly DatedPrice[]): prices is readonly DatedPrice[] =>
  Array.isArray(prices);

const datedSheets = (
  provider: string,
  model: string,
  prices: PriceList['models'][string],
  compilation: Compilation,
): DatedSheets[] => {
  const dated = isDated(prices) ? prices : [{ ...prices, from: START_OF_TIME }];
  return dated
    .map((price) => ({
      from: Date.parse(price.from),
      sheets: price.ended === true ? null : sheetsFor(provider, model, price, compilation),
    }))
    .sort((one, other) => one.from - other.from);
};

/** Spellings of a model id to look up, most specific first: the id, without fine-tune name, without snapshot date. */
const spellingsOf = (model: string): string[] => {
  const base = model.replace(/^(ft:[^:]+):.*$/, '$1').replace(/^accounts\/[^/]+\/(?:models|routers)\//, '');
  return [...new Set([model, base, base.replace(/[-@]20\d{2}-?\d{2}-?\d{2}$|@\w+$/, '')])];
};

/** A price source with the default prices of these lists, and the prices of one region. */
export interface ListedPrices extends PriceSource {
  readonly version: string;
  /** The listed prices of a model by region, at a moment. */
  readonly regional: (provider: string, model: string, at: Date) => ReadonlyMap<string, PriceSheet>;
}

/** Compiles price lists. A later list takes precedence over an earlier one for the same model and region. */
export const listedPrices = (
  lists: readonly PriceList[],
  version: string = priceListVersion(lists),
  rules: PriceRules = publishedRules,
): ListedPrices => {
  const listed = new Map(
    lists.flatMap(({ provider, regions = [''], models }) =>
      Object.entries(models).flatMap(([model, prices]) =>
        regions.map((region) => [keyOf(provider, region, model), prices] as const),
      ),
    ),
  );
  // A tenant uses a few of some thousand models.
  const compiled = new Map<string, readonly DatedSheets[]>();
  const sheetsOfModel = (
    provider: string,
    region: string,
    model: string,
  ): readonly DatedSheets[] | undefined => {
    const key = keyOf(provider, region, model);
    const prices = listed.get(key);
    if (prices === undefined) return undefined;
    const known = compiled.get(key) ?? datedSheets(provider, model, prices, { version, rules });
    compiled.set(key, known);
    return known;
  };
  const regionsOf = new Map<string, Set<string>>();
  for (const { provider, regions = [], models } of lists) {
    for (const model of regions.length === 0 ? [] : Object.keys(models)) {
      const key = keyOf(provider, '', model);
      regionsOf.set(key, new Set([...(regionsOf.get(key) ?? []), ...regions]));
    }
  }

  const at = (provider: string, region: string, model: string, time: Date, tokens: number) => {
    for (const spelling of spellingsOf(model)) {
      const dated = sheetsOfModel(provider, region, spelling)?.findLast(({ from }) => time.getTime() >= from);
      if (dated === undefined) continue;
      if (dated.sheets === null) return null;
      const sheet = sheetAt(dated.sheets, tokens);
      return spelling === model ? sheet : { ...sheet, match: 'alias' as const };
    }
    return null;
  };
  return {
    version,
    find: (provider, model, time, contextTokens, region) =>
      (region === null || region === undefined ? null : at(provider, region, model, time, contextTokens)) ??
      at(provider, '', model, time, contextTokens),
    regional: (provider, model, time) =>
      new Map(
        spellingsOf(model)
          .flatMap((spelling) => [...(regionsOf.get(keyOf(provider, '', spelling)) ?? [])])
          .flatMap((region) => {
            const sheet = at(provider, region, model, time, 0);
            return sheet === null ? [] : [[region, sheet] as const];
          }),
      ),
  };
};
