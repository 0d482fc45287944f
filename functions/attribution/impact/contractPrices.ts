import type { ContractPrice, ContractPrices } from '../../../schemas/contractPrices.ts';
import { sha256Of } from '../../shared/hash.ts';
import { modelIdentity } from './modelIdentity.ts';
import { NO_PRICES, type PriceSheet, type PriceSource } from './priceSheet.ts';

/** Names the list by its content, so that every record says which prices it used. */
export const contractVersion = (prices: ContractPrices): string =>
  `contract-${sha256Of('contract prices', JSON.stringify(prices)).toString('hex').slice(0, 12)}`;

interface Entry {
  readonly provider: string;
  /** The whole id, or what it begins with. */
  readonly model: string;
  readonly isPrefix: boolean;
  readonly from: number;
  readonly price: ContractPrice;
}

const entryOf = (price: ContractPrice): Entry => {
  const isPrefix = price.model.endsWith('*');
  const { provider, model } = modelIdentity(
    price.provider,
    isPrefix ? price.model.slice(0, -1) : price.model,
  );
  return { provider, model, isPrefix, from: Date.parse(price.from), price };
};

const sheetOf = ({ price, isPrefix }: Entry, version: string, model: string): PriceSheet => ({
  ...NO_PRICES,
  input: price.input ?? null,
  cachedInput: price.cached_input ?? null,
  cacheWrite: price.cache_write ?? null,
  output: price.output ?? null,
  reasoning: price.reasoning ?? null,
  request: price.request ?? null,
  source: 'contract',
  catalogue: version,
  match: isPrefix ? 'family' : 'exact',
  pricedModel: model,
  otherModalities: false,
});

/** Whether an entry says more of a model than another: a whole id before a beginning, a longer one before a shorter, a later before an earlier. */
const isCloser = (one: Entry, other: Entry): boolean => {
  if (one.isPrefix !== other.isPrefix) return other.isPrefix;
  if (one.model.length !== other.model.length) return one.model.length > other.model.length;
  return one.from >= other.from;
};

/** The prices a tenant agreed with its providers, by the time of the call. */
export const contractPrices = (prices: ContractPrices): PriceSource => {
  const version = contractVersion(prices);
  const byProvider = Map.groupBy(prices.map(entryOf), ({ provider }) => provider);
  return {
    find(provider, model, at) {
      let found: Entry | undefined;
      for (const entry of byProvider.get(provider) ?? []) {
        const fits = entry.isPrefix ? model.startsWith(entry.model) : model === entry.model;
        if (!fits || entry.from > at.getTime()) continue;
        if (found === undefined || isCloser(entry, found)) found = entry;
      }
      return found === undefined ? null : sheetOf(found, version, model);
    },
  };
};
