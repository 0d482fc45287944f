import type { PriceSheet, PriceSource } from '../../functions/impact/price/priceSheet.ts';
import type { PriceListEntry, PriceListFile } from './priceListFile.ts';
import type { TablePrice } from './priceTable.ts';

/** A price that differs from the one in use. `before` is null where the price was unknown. */
export interface PriceChange {
  readonly price: TablePrice;
  readonly before: PriceSheet | null;
}

const textOf = ({ input, output, cachedInput, cacheWrite }: TablePrice): string =>
  [input, output ?? '-', cachedInput ?? '-', cacheWrite ?? '-'].join(' ').replace(/(?: -)+$/, '');

/** Prices that differ less are equal: some tables round to a few digits. */
const EQUAL_WITHIN = 0.005;

const differs = (one: string | null, other: string | null): boolean =>
  Math.abs(Number(one ?? 0) - Number(other ?? 0)) >
  EQUAL_WITHIN * Math.max(Number(one ?? 0), Number(other ?? 0));

/** The prices of a table that are not in use at a moment. Only an exact match of the model counts as the same model. */
export const priceChanges = (table: readonly TablePrice[], current: PriceSource, at: Date): PriceChange[] =>
  table.flatMap((price) => {
    const { provider, model, region } = price;
    const before = current.find(provider, model, at, 0, region);
    const isSame =
      before !== null && !differs(before.input, price.input) && !differs(before.output, price.output);
    return isSame ? [] : [{ price, before }];
  });

const listKey = ({ provider, regions }: Pick<PriceListEntry, 'provider' | 'regions'>): string =>
  `${provider} ${(regions ?? []).join(' ')}`;

/**
 * Adds changes to the price lists. A price that was unknown applies to calls of any time, because no earlier one is
 * known. A changed price applies from the day `from`.
 */
export const applyChanges = (
  file: PriceListFile,
  changes: readonly PriceChange[],
  { source, checked, from }: { readonly source: string; readonly checked: string; readonly from: string },
): PriceListFile => {
  const lists = new Map<string, PriceListEntry>();
  for (const list of file.lists) {
    const key = `${listKey(list)} ${list.source}`;
    lists.set(key, { ...list, models: { ...lists.get(key)?.models, ...list.models } });
  }
  const existing = (provider: string, region: string | null, model: string) =>
    file.lists.findLast(
      (list) =>
        list.provider === provider &&
        (list.regions?.includes(region ?? '') ?? region === null) &&
        model in list.models,
    )?.models[model];
  for (const { price, before } of changes) {
    const { provider, region, model } = price;
    const place = { provider, ...(region !== null && { regions: [region] }) };
    const key = `${listKey(place)} ${source}`;
    const list = lists.get(key) ?? { ...place, source, checked, models: {} };
    const known = existing(provider, region, model);
    const earlier = typeof known === 'string' ? { '2020-01-01': known } : known;
    const prices = before === null ? textOf(price) : { ...earlier, [from]: textOf(price) };
    lists.set(key, { ...list, checked, models: { ...list.models, [model]: prices } });
  }
  return { lists: [...lists.values()] };
};
