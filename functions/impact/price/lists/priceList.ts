import type { DatedPrice, ListedPrice, PriceList } from '../../../../schemas/attribution/publishedPrices.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { bandsOf, type PriceSheets, sheetAt, sheetsOf } from '../priceBands.ts';
import type { PriceSheet, PriceSource } from '../priceSheet.ts';
import { feeHighOf, withModelRules } from '../rules/modelRules.ts';
import type { PriceRules } from '../rules/priceRules.ts';
import { publishedRules } from '../rules/publishedRules.ts';

/** Dated prices that an operator has loaded, and the version that records name. */
export interface LoadedLists {
  readonly version: string;
  readonly lists: readonly PriceList[];
}

interface DatedSheets {
  readonly from: number;
  readonly isLoaded: boolean;
  /** Null where the prices of the next source apply again: of the lists of the service, or of the catalogue. */
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
  readonly isLoaded: boolean;
}

/** The prices of a model in one list. */
interface Listed extends Omit<Compilation, 'rules'> {
  readonly prices: PriceList['models'][string];
}

const sheetsFor = (
  provider: string,
  model: string,
  price: ListedPrice,
  { version, rules, isLoaded }: Compilation,
): PriceSheets =>
  sheetsOf(withModelRules(rules, provider, model, bandsOf(price)), {
    source: 'override',
    catalogue: version,
    match: 'exact',
    pricedModel: model,
    otherModalities: [...Object.keys(price), ...(price.not_held ?? [])].some((name) =>
      OTHER_MODALITY.test(name),
    ),
    searchHigh:
      price.search_high ??
      (price.search === undefined ? feeHighOf(rules, 'search', provider, model) : undefined),
    requestHigh: feeHighOf(rules, 'request', provider, model),
    isSettled: isLoaded,
    unitsForTokens: price.units_for_tokens,
  });

const START_OF_TIME = '0000-01-01';

const isDated = (prices: ListedPrice | readonly DatedPrice[]): prices is readonly DatedPrice[] =>
  Array.isArray(prices);

const datedSheets = (
  provider: string,
  model: string,
  lists: readonly Listed[],
  rules: PriceRules,
): DatedSheets[] =>
  lists
    .flatMap(({ prices, version, isLoaded }) => {
      const dated = isDated(prices) ? prices : [{ ...prices, from: START_OF_TIME }];
      return dated.map((price) => ({
        from: Date.parse(price.from),
        isLoaded,
        sheets: price.ended === true ? null : sheetsFor(provider, model, price, { version, rules, isLoaded }),
      }));
    })
    // Of two prices from one day, the later list decides.
    .sort((one, other) => one.from - other.from);

/** The sheets of a moment. Where a loaded price has ended, those of the lists of the service. */
const sheetsInForce = (dated: readonly DatedSheets[], at: number): DatedSheets | undefined => {
  const newest = dated.findLast(({ from }) => at >= from);
  return newest?.isLoaded === true && newest.sheets === null
    ? dated.findLast(({ from, isLoaded }) => at >= from && !isLoaded)
    : newest;
};

/** Where Fireworks keeps the models of everyone. Its answers name the path, and some of its clients leave it out. */
const FIREWORKS_PATH = 'accounts/fireworks/models/';

/** Spellings of a model id to look up, most specific first: the id, without fine-tune name, without snapshot date. */
const spellingsOf = (provider: string, model: string): string[] => {
  const base = model.replace(/^(ft:[^:]+):.*$/, '$1').replace(/^accounts\/[^/]+\/(?:models|routers)\//, '');
  const undated = base.replace(/[-@]20\d{2}-?\d{2}-?\d{2}$|@\w+$/, '');
  const full = provider === 'fireworks' && !model.includes('/') ? [FIREWORKS_PATH + model] : [];
  return [...new Set([model, base, undated, ...full])];
};

/** A price source with the default prices of these lists, and the prices of one region. */
export interface ListedPrices extends PriceSource {
  readonly version: string;
  /** The listed prices of a model by region, at a moment. */
  readonly regional: (provider: string, model: string, at: Date) => ReadonlyMap<string, PriceSheet>;
}

/** The prices of lists by key. */
const pricesByKey = (lists: readonly PriceList[]): (readonly [string, PriceList['models'][string]])[] =>
  lists.flatMap(({ provider, regions = [''], models }) =>
    Object.entries(models).flatMap(([model, prices]) =>
      regions.map((region) => [keyOf(provider, region, model), prices] as const),
    ),
  );

/**
 * Compiles price lists. A later list takes precedence over an earlier one for the same model and region. Loaded lists add
 * their prices from their days on, whatever list the model is in.
 */
export const listedPrices = (
  lists: readonly PriceList[],
  version: string = priceListVersion(lists),
  rules: PriceRules = publishedRules,
  loads: readonly LoadedLists[] = [],
): ListedPrices => {
  const listed = new Map<string, readonly Listed[]>(
    pricesByKey(lists).map(([key, prices]) => [key, [{ prices, version, isLoaded: false }]]),
  );
  for (const load of loads) {
    for (const [key, prices] of pricesByKey(load.lists)) {
      listed.set(key, [...(listed.get(key) ?? []), { prices, version: load.version, isLoaded: true }]);
    }
  }
  // A tenant uses a few of some thousand models.
  const compiled = new Map<string, readonly DatedSheets[]>();
  const sheetsOfModel = (
    provider: string,
    region: string,
    model: string,
  ): readonly DatedSheets[] | undefined => {
    const key = keyOf(provider, region, model);
    const ofModel = listed.get(key);
    if (ofModel === undefined) return undefined;
    const known = compiled.get(key) ?? datedSheets(provider, model, ofModel, rules);
    compiled.set(key, known);
    return known;
  };
  const regionsOf = new Map<string, Set<string>>();
  for (const { provider, regions = [], models } of [...lists, ...loads.flatMap((load) => load.lists)]) {
    for (const model of regions.length === 0 ? [] : Object.keys(models)) {
      const key = keyOf(provider, '', model);
      regionsOf.set(key, new Set([...(regionsOf.get(key) ?? []), ...regions]));
    }
  }

  const at = (provider: string, region: string, model: string, time: Date, tokens: number) => {
    for (const spelling of spellingsOf(provider, model)) {
      const dated = sheetsInForce(sheetsOfModel(provider, region, spelling) ?? [], time.getTime());
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
        spellingsOf(provider, model)
          .flatMap((spelling) => [...(regionsOf.get(keyOf(provider, '', spelling)) ?? [])])
          .flatMap((region) => {
            const sheet = at(provider, region, model, time, 0);
            return sheet === null ? [] : [[region, sheet] as const];
          }),
      ),
  };
};
