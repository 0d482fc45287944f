import { sha256Of } from '../../platform/shared/hash.ts';
import { NO_PRICES, type PriceSheet, type PriceSource, type UnitPrices } from './priceSheet.ts';

/**
 * Prices in USD per million tokens, separated by spaces: input, output, cache read, cache write. An output of `-` has no
 * price. An empty text ends an earlier price: the price catalogue applies again.
 */
export type PriceText = string;

/** The prices of some models of one provider, from one source. `priceList.json` holds these. */
export interface PriceList {
  readonly provider: string;
  /** Regions for which the prices apply. Without regions they are the default prices of the provider. */
  readonly regions?: readonly string[] | undefined;
  readonly source: string;
  /** Day on which the prices were compared with the source. */
  readonly checked: string;
  /** Prices by model id in lower case. Several prices have the first day (UTC) of each as key. */
  readonly models: Readonly<Record<string, PriceText | Readonly<Record<string, PriceText>>>>;
}

interface DatedSheet {
  readonly from: number;
  /** Null where the price catalogue applies again. */
  readonly sheet: PriceSheet | null;
}

type Sheets = ReadonlyMap<string, readonly DatedSheet[]>;

/** Names the lists by date and content, so that each record names the prices it used. */
export const priceListVersion = (lists: readonly PriceList[]): string => {
  const checked = lists.reduce((latest, list) => (list.checked > latest ? list.checked : latest), '');
  const digest = sha256Of('price lists', JSON.stringify(lists)).toString('hex').slice(0, 8);
  return `prices-${checked}-${digest}`;
};

const FIELDS = ['input', 'output', 'cachedInput', 'cacheWrite'] as const satisfies (keyof UnitPrices)[];

/** Unit prices of a text in a price list, or null if it ends a price. */
export const readPrices = (text: PriceText): UnitPrices | null => {
  if (text === '') return null;
  const values = text.split(' ');
  const named = FIELDS.map((field, index) => [field, values[index]] as const);
  return {
    ...NO_PRICES,
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== '-')),
  };
};

const keyOf = (provider: string, region: string, model: string): string => `${provider} ${region} ${model}`;

const datedSheets = (model: string, prices: PriceList['models'][string], version: string): DatedSheet[] => {
  const dated = typeof prices === 'string' ? [['0000-01-01', prices] as const] : Object.entries(prices);
  return dated
    .map(([from, text]) => {
      const unitPrices = readPrices(text);
      const sheet: PriceSheet | null = unitPrices && {
        ...unitPrices,
        source: 'override',
        catalogue: version,
        match: 'exact',
        pricedModel: model,
        otherModalities: false,
      };
      return { from: Date.parse(from), sheet };
    })
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
export const listedPrices = (lists: readonly PriceList[]): ListedPrices => {
  const version = priceListVersion(lists);
  const sheets: Sheets = new Map(
    lists.flatMap(({ provider, regions = [''], models }) =>
      Object.entries(models).flatMap(([model, prices]) =>
        regions.map(
          (region) => [keyOf(provider, region, model), datedSheets(model, prices, version)] as const,
        ),
      ),
    ),
  );
  const regions = [...new Set(lists.flatMap((list) => list.regions ?? []))];

  const at = (provider: string, region: string, model: string, time: Date): PriceSheet | null => {
    for (const spelling of spellingsOf(model)) {
      const dated = sheets
        .get(keyOf(provider, region, spelling))
        ?.findLast(({ from }) => time.getTime() >= from);
      if (dated === undefined) continue;
      return dated.sheet && { ...dated.sheet, match: spelling === model ? 'exact' : 'alias' };
    }
    return null;
  };
  return {
    version,
    find: (provider, model, time, _contextTokens, region) =>
      (region === null || region === undefined ? null : at(provider, region, model, time)) ??
      at(provider, '', model, time),
    regional: (provider, model, time) =>
      new Map(
        regions.flatMap((region) => {
          const sheet = at(provider, region, model, time);
          return sheet === null ? [] : [[region, sheet] as const];
        }),
      ),
  };
};
