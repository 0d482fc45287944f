import { listedPrices } from '../../functions/impact/price/lists/priceList.ts';
import { differingKinds, isSamePrice } from '../../functions/impact/price/lists/sourceStatements.ts';
import {
  type PriceSheet,
  type PriceSource,
  tokenKinds,
  type UnitPrices,
} from '../../functions/impact/price/priceSheet.ts';
import type { PriceRules } from '../../functions/impact/price/rules/priceRules.ts';
import { multiplierFor, type RuledCall } from '../../functions/impact/price/rules/priceRules.ts';
import { publishedRules } from '../../functions/impact/price/rules/publishedRules.ts';
import { decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import {
  type PricedKind,
  type PricedTier,
  pricedKinds,
  pricedTiers,
} from '../../schemas/attribution/unitPrices.ts';
import type { TablePrice } from './tables/tablePrice.ts';

/** How a price of a table relates to the one in use. */
export type Comparison =
  /** No price of this model is in use. That of another model of its family does not count. */
  | 'unknown'
  /** The table states kinds, bands or tiers that the price in use lacks, and no other price. */
  | 'richer'
  | 'different'
  | 'equal';

/** The kind that contains a kind: its price applies where the kind has none. */
const CONTAINERS: Readonly<Partial<Record<PricedKind, PricedKind>>> = {
  cached_input: 'input',
  cache_write: 'input',
  cache_write_1h: 'cache_write',
  audio_input: 'input',
  cached_audio_input: 'cached_input',
  image_input: 'input',
  cached_image_input: 'cached_input',
  reasoning: 'output',
  audio_output: 'output',
  image_output: 'output',
};

/** The price at which the tokens of a kind are charged. */
const chargedAt = (prices: UnitPrices, kind: PricedKind): string | null => {
  const container = CONTAINERS[kind];
  return prices[kind] ?? (container === undefined ? null : chargedAt(prices, container));
};

type Ranges = Pick<PriceSheet, 'tokenFactors' | 'requestHigh' | 'searchHigh'>;

/** The lowest and highest price that is charged for a kind. */
const rangeOf = (kind: PricedKind, charged: string, { tokenFactors, requestHigh, searchHigh }: Ranges) => {
  const high = { request: requestHigh, search: searchHigh }[kind === 'request' ? kind : 'search'];
  if (!tokenKinds.includes(kind)) return [decimal(charged), decimal(high ?? charged)] as const;
  const at = (factor: string | undefined) => decimal(charged).times(factor ?? '1');
  return [at(tokenFactors?.low), at(tokenFactors?.high)] as const;
};

/** Whether the range around a price in use contains another price. */
const isCovered = (kind: PricedKind, price: string, charged: string, ranges: Ranges): boolean => {
  const bounds = rangeOf(kind, charged, ranges);
  const [low, high] = bounds;
  return (
    [charged, ...bounds.map(toDecimalString)].some((bound) => isSamePrice(price, bound)) ||
    (decimal(price).gte(low) && decimal(price).lte(high))
  );
};

/** What a table states in one band and tier, against what is in use there. */
const compareKinds = (stated: UnitPrices, used: UnitPrices, ranges: Ranges): Comparison => {
  let result: Comparison = 'equal';
  for (const kind of pricedKinds) {
    const price = stated[kind];
    if (price === null) continue;
    const charged = chargedAt(used, kind);
    if (charged !== null && isCovered(kind, price, charged, ranges)) continue;
    if (used[kind] !== null) return 'different';
    result = 'richer';
  }
  return result;
};

/** What a call at a tier is charged, and whether the page of the provider says so. */
interface TierInUse {
  readonly prices: UnitPrices;
  readonly isSettled: boolean;
}

/** The prices of a tier in use: listed, or a multiple of the standard price. Null if no price of the tier is known. */
const tierInUse = (used: PriceSheet, call: RuledCall, tier: PricedTier): TierInUse | null => {
  const listed = used.tiers[tier];
  if (listed !== undefined) return { prices: listed, isSettled: true };
  const rule = multiplierFor(publishedRules.tiers, { ...call, model: used.pricedModel, tier });
  const { times, over = '1', source = '' } = rule ?? {};
  if (times === undefined) return null;
  const multiplied = pricedKinds.flatMap((kind) => {
    const price = used[kind];
    return price === null ? [] : [[kind, toDecimalString(decimal(price).times(times).div(over))]];
  });
  return { prices: { ...used, ...Object.fromEntries(multiplied) }, isSettled: source.startsWith('https://') };
};

const compareTiers = (stated: PriceSheet, used: PriceSheet, call: RuledCall): Comparison => {
  const found = pricedTiers.flatMap((tier): Comparison[] => {
    const prices = stated.tiers[tier];
    if (prices === undefined) return [];
    const inUse = tierInUse(used, call, tier);
    if (inUse === null) return ['richer'];
    const comparison = compareKinds(prices, inUse.prices, used);
    // A price for the model is better evidence than a rule over many providers, and no better than the page of the provider.
    return [comparison === 'different' && !inUse.isSettled ? 'richer' : comparison];
  });
  return strongest(found);
};

const ORDER = ['different', 'richer', 'equal'] as const;
const strongest = (comparisons: readonly Comparison[]): Comparison =>
  ORDER.find((one) => comparisons.includes(one)) ?? 'equal';

/** More tokens than any band starts at. */
const LONGEST = 1_000_000_000;
/** Lengths of context, each in another band of some provider. */
const LENGTHS = [0, 40_000, 110_000, 150_000, 225_000, 260_000, 300_000, 600_000, LONGEST];

/** The price of a table as a source of prices, by default with the published rules. */
export const sourceOf = ({ provider, model, region, price }: TablePrice, rules?: PriceRules): PriceSource =>
  listedPrices(
    [
      {
        provider,
        ...(region !== null && { regions: [region] }),
        source: '',
        checked: '',
        models: { [model]: price },
      },
    ],
    '',
    rules,
  );

/** Whether a disagreement already has the prices of a band, so that the cost in it is a range. */
const isDisputed = (stated: UnitPrices, { others = [] }: PriceSheet): boolean =>
  others.some(({ prices }) => differingKinds(stated, { ...stated, ...prices }).length === 0);

/** Compares all kinds, bands and tiers of a price of a table with the prices in use at a moment. */
const compareAt = (table: TablePrice, current: PriceSource, at: Date): Comparison => {
  const { provider, model, region, price } = table;
  const source = sourceOf(table);
  const usedAt = (tokens: number) => current.find(provider, model, at, tokens, region);
  const statedAt = (tokens: number) => source.find(provider, model, at, tokens, region);
  const isBanded = (longest: PriceSheet | null): boolean => (longest?.aboveTokens ?? -1) >= 0;
  const isUsedBanded = isBanded(usedAt(LONGEST));
  const isStatedBanded = isBanded(statedAt(LONGEST));

  const starts = (price.bands ?? []).map(({ above_tokens: start }) => start + 1);
  const found = [...LENGTHS, ...starts].map((tokens): Comparison => {
    const [used, stated] = [usedAt(tokens), statedAt(tokens)];
    if (used === null || stated === null || used.match === 'family') return 'unknown';
    // A table without bands says nothing about a long context.
    if (!isStatedBanded && used.aboveTokens >= 0) return 'equal';
    const comparison = strongest([
      compareKinds(stated, used, used),
      compareTiers(stated, used, { provider, model, at, region }),
    ]);
    const isBandMissing = stated.aboveTokens >= 0 && !isUsedBanded;
    if (!isBandMissing || comparison !== 'different') return comparison;
    return isDisputed(stated, used) ? 'equal' : 'richer';
  });
  return found.includes('unknown') ? 'unknown' : strongest(found);
};

const HOUR_MS = 3_600_000;
/** Times of a day with different prices at providers that charge less at night. */
const HOURS = [0, 6, 12, 18];

/** Compares a price of a table with the prices in use on a day. A table has one price where a provider has one for the night. */
export const comparePrice = (table: TablePrice, current: PriceSource, day: Date): Comparison => {
  const found = HOURS.map((hour) => compareAt(table, current, new Date(day.getTime() + hour * HOUR_MS)));
  return found.find((comparison) => comparison !== 'different') ?? 'different';
};
