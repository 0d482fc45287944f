import type { PriceList } from '../../../../schemas/attribution/publishedPrices.ts';
import { pricedKinds } from '../../../../schemas/attribution/unitPrices.ts';
import { Big, decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import {
  type OtherPrices,
  type PriceSheet,
  type PriceSource,
  type UnitPrices,
  unitPrices,
} from '../priceSheet.ts';
import { type ListedPrices, listedPrices } from './priceList.ts';

/** Prices that differ less are equal: some tables round to a few digits. */
const EQUAL_WITHIN = Big('0.005');

export const isSamePrice = (one: string, other: string): boolean => {
  const [a, b] = [decimal(one), decimal(other)];
  return a
    .minus(b)
    .abs()
    .lte(EQUAL_WITHIN.times(a.gt(b) ? a : b));
};

/** The kinds for which both state a price, and another one. */
export const differingKinds = (one: UnitPrices, other: UnitPrices) =>
  pricedKinds.filter((kind) => {
    const [first, second] = [one[kind], other[kind]];
    return first !== null && second !== null && !isSamePrice(first, second);
  });

/** What other sources state about models that the price in use knows. */
export interface SourceStatements {
  /** Kinds, bands and tiers that the price in use lacks. */
  readonly completions: readonly PriceList[];
  /** Other prices for what the price in use states. No one knows which source is right. */
  readonly disagreements: readonly PriceList[];
}

type Find = Parameters<PriceSource['find']>;

/** Whether another source states a price within the range of an unknown region. */
const isWithinRange = (sheet: PriceSheet, other: UnitPrices): boolean =>
  differingKinds(sheet, other).every((kind) => {
    const [used, stated, factors] = [sheet[kind], other[kind], sheet.tokenFactors];
    if (used === null || stated === null || factors === undefined) return false;
    const [low, high] = [decimal(used).times(factors.low), decimal(used).times(factors.high)];
    const isAtBound = [low, high].some((bound) => isSamePrice(stated, toDecimalString(bound)));
    return isAtBound || (decimal(stated).gte(low) && decimal(stated).lte(high));
  });

/** What a source states about a model, or about the one that its alias names. */
const statementOf = (
  source: PriceSource,
  { match, pricedModel }: PriceSheet,
  [provider, model, ...call]: Find,
): PriceSheet | null =>
  source.find(provider, model, ...call) ??
  (match === 'alias' ? source.find(provider, pricedModel, ...call) : null);

/** Adds the fees that the source in use leaves out. They are the same in every region. */
const withFees = (sheet: PriceSheet, more: PriceSheet): PriceSheet => ({
  ...sheet,
  request: sheet.request ?? more.request,
  search: sheet.search ?? more.search,
  searchHigh: sheet.search === null ? more.searchHigh : sheet.searchHigh,
});

/** Adds what the source in use leaves out. A band replaces the price of a shorter context. */
const completed = (sheet: PriceSheet, more: PriceSheet): PriceSheet => {
  const isLonger = more.aboveTokens > sheet.aboveTokens;
  const [first, second] = isLonger ? [more, sheet] : [sheet, more];
  return {
    ...sheet,
    ...unitPrices((kind) => first[kind] ?? second[kind]),
    otherModalities: sheet.otherModalities || more.otherModalities,
    unitsForTokens: sheet.unitsForTokens ?? more.unitsForTokens,
    searchHigh: first.searchHigh ?? second.searchHigh,
    tiers: { ...second.tiers, ...first.tiers },
    aboveTokens: first.aboveTokens,
  };
};

export const statedKinds = (sheet: UnitPrices): Partial<UnitPrices> =>
  Object.fromEntries(pricedKinds.flatMap((kind) => (sheet[kind] === null ? [] : [[kind, sheet[kind]]])));

interface Source {
  readonly name: string;
  readonly prices: ListedPrices;
}

/** The sources that know a provider, each with its prices of all regions. */
const byProvider = (lists: readonly PriceList[]): ReadonlyMap<string, readonly Source[]> =>
  new Map(
    [...Map.groupBy(lists, ({ provider }) => provider)].map(([provider, known]) => {
      const bySource = Map.groupBy(known, ({ source, checked }) => `${source}, ${checked}`);
      return [provider, [...bySource].map(([name, of]) => ({ name, prices: listedPrices(of, '') }))];
    }),
  );

/**
 * Completes the prices in use by what other sources state. A completion applies only as long as the rest of its prices
 * equals the price in use: otherwise its source is older than a change of the price.
 */
export const withSourceStatements = (
  prices: PriceSource,
  { completions, disagreements }: SourceStatements,
): PriceSource => {
  const completing = byProvider(completions);
  const disagreeing = byProvider(disagreements);

  const completedSheet = (sheet: PriceSheet, [provider, model, at, tokens, region]: Find): PriceSheet => {
    let [found, shortest] = [sheet, tokens === 0 ? sheet : undefined];
    for (const { prices: source } of completing.get(provider) ?? []) {
      const more = statementOf(source, sheet, [provider, model, at, tokens, region]);
      const base = more && statementOf(source, sheet, [provider, model, at, 0, region]);
      if (more === null || base === null) continue;
      shortest ??= prices.find(provider, model, at, 0, region) ?? sheet;
      if (differingKinds(shortest, base).length === 0) found = completed(found, more);
      else if (isWithinRange(shortest, base)) found = withFees(found, more);
    }
    return found;
  };

  /** Whether a region has prices of its own, about which a source without regions says nothing. */
  const isRegional = (sheet: PriceSheet, [provider, model, at, tokens, region]: Find): boolean => {
    if (region === null || region === undefined) return false;
    const everywhere = prices.find(provider, model, at, tokens, null);
    return everywhere === null || differingKinds(sheet, everywhere).length > 0;
  };

  const othersOf = (sheet: PriceSheet, call: Find): OtherPrices[] => {
    const [provider, model, at, , region] = call;
    return (disagreeing.get(provider) ?? []).flatMap(({ name, prices: source }) => {
      const other = statementOf(source, sheet, call);
      // A source without bands says nothing about a long context.
      if (other === null || (other.aboveTokens < 0 && sheet.aboveTokens >= 0)) return [];
      const isOfRegion = source.regional(provider, model, at).has(region ?? '');
      if (!isOfRegion && isRegional(sheet, call)) return [];
      return [{ source: name, prices: statedKinds(other), tiers: other.tiers }];
    });
  };

  return {
    find(...call) {
      const sheet = prices.find(...call);
      if (sheet === null || sheet.match === 'family' || sheet.isSettled === true) return sheet;
      const full = completedSheet(sheet, call);
      const others = othersOf(full, call);
      return others.length === 0 ? full : { ...full, others };
    },
  };
};
