import { canonicalProvider } from '../../functions/impact/usage/modelIdentity.ts';
import { PriceListFile } from './priceListFile.ts';
import { memberOf, membersOf, parseExactJson } from './tables/exactNumbers.ts';
import { fromGenaiPrices } from './tables/genaiPrices.ts';
import { fromLiteLlm } from './tables/liteLlm.ts';
import { fromModelsDev } from './tables/modelsDev.ts';
import type { TablePrice } from './tables/tablePrice.ts';

const fromPriceLists = (file: PriceListFile): TablePrice[] =>
  file.lists.flatMap(({ provider, regions = [null], models }) =>
    Object.entries(models).flatMap(([model, prices]) => {
      const {
        from: _from,
        ended,
        ...price
      } = Array.isArray(prices)
        ? (prices.at(-1) ?? { from: '', ended: true })
        : { from: '', ended: false, ...prices };
      if (ended === true) return [];
      return regions.map((region) => ({
        provider: canonicalProvider(provider),
        model: model.toLowerCase(),
        region,
        price,
      }));
    }),
  );

/** A model can be in a table twice, under two ids. The prices of the second entry add to the first. */
const merged = (prices: readonly TablePrice[]): TablePrice[] => {
  const first = new Map<string, TablePrice>();
  for (const price of prices) {
    const key = JSON.stringify([price.provider, price.region, price.model]);
    const known = first.get(key);
    const isSame =
      known === undefined ||
      (known.price.input === price.price.input && known.price.output === price.price.output);
    if (isSame) first.set(key, { ...price, price: { ...price.price, ...known?.price } });
  }
  return [...first.values()];
};

export interface PriceTableOptions {
  /** Day of the table. */
  readonly day: string;
  /** Providers to read, as the table names them. Default: all. */
  readonly providers?: ReadonlySet<string> | undefined;
}

const ofProviders = (table: unknown, providers: ReadonlySet<string>): unknown => {
  const isRead = (key: string, entry: unknown): boolean =>
    [key, memberOf(entry, 'litellm_provider'), memberOf(entry, 'id')].some(
      (name) => typeof name === 'string' && providers.has(name),
    );
  return Array.isArray(table)
    ? table.filter((entry) => isRead('', entry))
    : Object.fromEntries(membersOf(table).filter(([key, entry]) => isRead(key, entry)));
};

/**
 * Reads a price table: the price lists of this project, or the table of LiteLLM, models.dev, pi-ai or genai-prices. Models
 * without a price per token are left out.
 */
export const readPriceTable = (text: string, { day, providers }: PriceTableOptions): TablePrice[] => {
  const lists = PriceListFile.safeParse(JSON.parse(text));
  if (lists.success) return merged(fromPriceLists(lists.data));
  const all = parseExactJson(text);
  const table = providers === undefined ? all : ofProviders(all, providers);
  if (Array.isArray(table)) return merged(fromGenaiPrices(table, day));
  const isLiteLlm = membersOf(table).some(([, entry]) => memberOf(entry, 'litellm_provider') !== undefined);
  return merged(isLiteLlm ? fromLiteLlm(table) : fromModelsDev(table));
};
