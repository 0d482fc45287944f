import { isSamePrice } from '../../functions/impact/price/lists/sourceStatements.ts';
import type { PriceSheet, PriceSource } from '../../functions/impact/price/priceSheet.ts';
import type { DatedPrice, PriceList } from '../../schemas/attribution/publishedPrices.ts';
import { type Comparison, comparePrice } from './comparePrices.ts';
import type { PriceListFile, PriceListSection } from './priceListFile.ts';
import type { TablePrice } from './tables/tablePrice.ts';

/** A price of a table that is not in use. `before` is null where the price was unknown. */
export interface PriceChange {
  readonly table: TablePrice;
  readonly before: PriceSheet | null;
  readonly comparison: Exclude<Comparison, 'equal'>;
}

const modelKey = ({ provider, model }: Pick<TablePrice, 'provider' | 'model'>): string =>
  `${provider} ${model}`;

/** Models whose price was compared with the page of their vendor, which is right where a table differs. */
const settledModels = ({ lists }: PriceListFile): ReadonlySet<string> =>
  new Set(
    lists
      .filter(({ source }) => source.startsWith('https://'))
      .flatMap(({ provider, models }) => Object.keys(models).map((model) => modelKey({ provider, model }))),
  );

/** The prices of a table that are not in use on a day, or not completely. */
export const priceChanges = (
  tables: readonly TablePrice[],
  current: PriceSource,
  day: Date,
  file: PriceListFile,
): PriceChange[] => {
  const settled = settledModels(file);
  return tables.flatMap((table) => {
    const comparison = comparePrice(table, current, day);
    if (comparison === 'equal' || (comparison === 'different' && settled.has(modelKey(table)))) return [];
    const before = current.find(table.provider, table.model, day, 0, table.region);
    return [{ table, comparison, before: comparison === 'unknown' ? null : before }];
  });
};

/**
 * Whether the price in use of another model of the family is that of an unknown model. Two sources then agree on it. A table
 * that is some months old is right about such models, and often wrong about others.
 */
export const isConfirmed = ({ table, comparison }: PriceChange, current: PriceSource, day: Date): boolean => {
  if (comparison !== 'unknown') return true;
  const { provider, model, region, price } = table;
  const family = current.find(provider, model, day, 0, region);
  return (['input', 'output'] as const).every((kind) => {
    const [used, stated] = [family?.[kind] ?? null, price[kind] ?? null];
    return used === null || stated === null ? used === stated : isSamePrice(used, stated);
  });
};

export interface UpdateOptions {
  readonly source: string;
  /** Day of the table. */
  readonly checked: string;
  /** First day of prices that changed. Null: a difference is a disagreement of two sources. */
  readonly changedFrom: string | null;
}

const placeKey = ({ provider, regions }: Pick<PriceList, 'provider' | 'regions'>): string =>
  `${provider} ${(regions ?? []).join(' ')}`;

/** The lists of a section, in which a price replaces that of the same source, place and model. */
const withPrices = (
  section: readonly PriceList[],
  changes: readonly PriceChange[],
  { source, checked }: Pick<UpdateOptions, 'source' | 'checked'>,
  pricesOf: (table: TablePrice) => PriceList['models'][string],
): PriceList[] => {
  const lists = new Map<string, PriceList>();
  for (const list of section) {
    const key = `${placeKey(list)} ${list.source}`;
    lists.set(key, { ...list, models: { ...lists.get(key)?.models, ...list.models } });
  }
  for (const { table } of changes) {
    const place = { provider: table.provider, ...(table.region !== null && { regions: [table.region] }) };
    const key = `${placeKey(place)} ${source}`;
    const list = lists.get(key) ?? { ...place, source, checked, models: {} };
    lists.set(key, { ...list, checked, models: { ...list.models, [table.model]: pricesOf(table) } });
  }
  return [...lists.values()];
};

const EARLIEST = '2020-01-01';

/** The price of a model with its earlier prices, which stay for calls before the change. */
const datedPrices = (lists: readonly PriceList[], { table }: PriceChange, from: string): DatedPrice[] => {
  const { provider, region, model, price } = table;
  const known = lists.findLast(
    (list) =>
      list.provider === provider &&
      (list.regions?.includes(region ?? '') ?? region === null) &&
      model in list.models,
  )?.models[model];
  const earlier = Array.isArray(known) ? known : known === undefined ? [] : [{ from: EARLIEST, ...known }];
  return [...earlier.filter((dated) => dated.from !== from), { from, ...price }];
};

/**
 * Adds changes to the price lists. A price that was unknown applies to calls of any time, because no earlier one is
 * known. What the price in use lacks completes it. Another price replaces it from the day of the change, or is a
 * disagreement of two sources.
 */
export const applyChanges = (
  file: PriceListFile,
  changes: readonly PriceChange[],
  options: UpdateOptions,
): PriceListFile => {
  const { changedFrom } = options;
  const of = (comparison: Comparison) => changes.filter((change) => change.comparison === comparison);
  const replaced = changedFrom === null ? [] : of('different');
  const section = (name: PriceListSection, added: readonly PriceChange[]) =>
    withPrices(file[name], added, options, ({ price }) => price);
  let lists = section('lists', of('unknown'));
  for (const change of replaced) {
    const dated = datedPrices(file.lists, change, changedFrom ?? options.checked);
    lists = withPrices(lists, [change], options, () => dated);
  }
  return {
    lists,
    completions: section('completions', of('richer')),
    disagreements: changedFrom === null ? section('disagreements', of('different')) : file.disagreements,
  };
};
