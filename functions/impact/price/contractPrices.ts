import type { ContractPrice, ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import type { BillingMode } from '../../../schemas/ingest/invocationEvent.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { modelIdentity } from '../usage/modelIdentity.ts';
import { regionName } from '../usage/regionName.ts';
import { bandsOf, type PriceBands, sheetAt, sheetsOf } from './priceBands.ts';
import { normalizeSeparators, withoutSnapshot } from './priceMatch.ts';
import type { PriceMatch, PriceSource } from './priceSheet.ts';

/** Names the list by its content, so that each record names the prices it used. */
export const contractPricesVersion = (prices: ContractPrices): string =>
  `contract-${sha256Of('contract prices', JSON.stringify(prices)).toString('hex').slice(0, 12)}`;

interface Entry {
  readonly provider: string;
  /** The complete model id, or its prefix. */
  readonly model: string;
  /** The model id in the normalized spelling that is used to compare snapshots. */
  readonly spelling: string;
  readonly isPrefix: boolean;
  readonly from: number;
  readonly region: string | null;
  readonly billing: BillingMode;
  readonly price: ContractPrice;
  readonly bands: PriceBands;
}

const entryOf = (price: ContractPrice): Entry => {
  const isPrefix = price.model.endsWith('*');
  const { provider, model } = modelIdentity(
    price.provider,
    isPrefix ? price.model.slice(0, -1) : price.model,
  );
  return {
    provider,
    model,
    spelling: normalizeSeparators(model),
    isPrefix,
    from: Date.parse(price.from),
    region: price.region === undefined ? null : regionName(price.region),
    billing: price.billing_mode ?? 'metered',
    price,
    bands: bandsOf(price),
  };
};

/** How an entry matches a model, or null. An id also matches its snapshots, because providers report snapshot ids. */
const matchOf = (entry: Entry, model: string, snapshotOf: string): PriceMatch | null => {
  if (entry.isPrefix) return model.startsWith(entry.model) ? 'family' : null;
  if (model === entry.model) return 'exact';
  return snapshotOf === entry.spelling ? 'alias' : null;
};

interface Hit {
  readonly entry: Entry;
  readonly match: PriceMatch;
}

/**
 * Whether an entry is more specific than another. Order: exact id, longer id or prefix, id before prefix, price of the
 * region, later start.
 */
const isMoreSpecific = (one: Hit, other: Hit): boolean => {
  if ((one.match === 'exact') !== (other.match === 'exact')) return one.match === 'exact';
  const longer = one.entry.model.length - other.entry.model.length;
  if (longer !== 0) return longer > 0;
  if (one.entry.isPrefix !== other.entry.isPrefix) return other.entry.isPrefix;
  if ((one.entry.region === null) !== (other.entry.region === null)) return one.entry.region !== null;
  return one.entry.from >= other.entry.from;
};

/** Finds the entry that applies to a call at an instant (epoch milliseconds) in a region. */
const entryFinder = (prices: ContractPrices) => {
  const byProvider = Map.groupBy(prices.map(entryOf), ({ provider }) => provider);
  return (
    provider: string,
    model: string,
    at: number,
    region: string | null,
    billing: BillingMode = 'metered',
  ): Hit | undefined => {
    const snapshotOf = withoutSnapshot(model);
    let found: Hit | undefined;
    for (const entry of byProvider.get(provider) ?? []) {
      const applies =
        entry.from <= at && entry.billing === billing && (entry.region === null || entry.region === region);
      const match = applies ? matchOf(entry, model, snapshotOf) : null;
      if (match === null) continue;
      const hit = { entry, match };
      if (found === undefined || isMoreSpecific(hit, found)) found = hit;
    }
    return found;
  };
};

/** Finds the contract price that applies to a call, as it stands in the list. */
export const contractPriceFinder = (prices: ContractPrices) => {
  const find = entryFinder(prices);
  return (provider: string, model: string, at: number, region: string | null): ContractPrice | null =>
    find(provider, model, at, region)?.entry.price ?? null;
};

/** The contract prices of a tenant at the time of the call. */
export const contractPriceSource = (prices: ContractPrices): PriceSource => {
  const version = contractPricesVersion(prices);
  const findEntry = entryFinder(prices);
  return {
    find(provider, model, at, contextTokens, region = null, billing = 'metered') {
      const found = findEntry(provider, model, at.getTime(), region, billing);
      if (found === undefined) return null;
      const { entry, match } = found;
      const sheets = sheetsOf(entry.bands, {
        source: 'contract',
        catalogue: version,
        match,
        // Tier multipliers are listed by model, not by snapshot.
        pricedModel: match === 'alias' ? entry.model : model,
        otherModalities: false,
      });
      return sheetAt(sheets, contextTokens);
    },
  };
};
