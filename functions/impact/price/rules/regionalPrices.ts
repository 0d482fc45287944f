import { decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import { withoutArea } from '../../usage/bedrockId.ts';
import type { ListedPrices } from '../lists/priceList.ts';
import { timesFactor } from '../priceBands.ts';
import {
  type PriceSheet,
  type PriceSource,
  type TierPrices,
  tokenKinds,
  type UnitPrices,
} from '../priceSheet.ts';
import { type MultiplierRule, multiplierFor, type PriceRules, withVersion } from './priceRules.ts';

/** Regions that have the default prices of Amazon Bedrock. */
const DEFAULT_REGIONS: ReadonlySet<string> = new Set(['us-east-1', 'us-east-2', 'us-west-2']);
const ONE = decimal('1');

const multipliedPrices = <Prices extends UnitPrices>(prices: Prices, factor: string): Prices => ({
  ...prices,
  ...Object.fromEntries(tokenKinds.map((kind) => [kind, timesFactor(prices[kind], factor)])),
});

const multipliedTiers = (tiers: TierPrices, factor: string): TierPrices =>
  Object.fromEntries(Object.entries(tiers).map(([tier, prices]) => [tier, multipliedPrices(prices, factor)]));

const multiplied = (sheet: PriceSheet, factor: string): PriceSheet => ({
  ...multipliedPrices(sheet, factor),
  tiers: multipliedTiers(sheet.tiers, factor),
});

/** Bounds of regional prices relative to the default price, as factors. */
const boundsOf = (sheet: PriceSheet, regional: Iterable<PriceSheet>): PriceSheet['tokenFactors'] => {
  let [low, high] = [ONE, ONE];
  for (const other of regional) {
    for (const kind of ['input', 'output'] as const) {
      const [price, base] = [other[kind], sheet[kind]];
      if (price === null || base === null || decimal(base).eq('0')) continue;
      const factor = decimal(price).div(base);
      if (factor.lt(low)) low = factor;
      if (factor.gt(high)) high = factor;
    }
  }
  return low.eq(high)
    ? undefined
    : { low: toDecimalString(low.round(6, 0)), high: toDecimalString(high.round(6, 3)) };
};

/** The prices where data stay in a place, by the rules of the provider. */
const placedSheet = (
  sheet: PriceSheet,
  { times, low = '1', high = '1', version }: Pick<MultiplierRule, 'times' | 'low' | 'high' | 'version'>,
): PriceSheet => {
  const placed = times === undefined || times === '1' ? sheet : multiplied(sheet, times);
  return {
    ...placed,
    catalogue: withVersion(sheet.catalogue, version),
    ...((low !== '1' || high !== '1') && { tokenFactors: { low, high } }),
  };
};

const bedrockSheet = (
  sheet: PriceSheet,
  regional: ReadonlyMap<string, PriceSheet>,
  model: string,
  region: string | null,
  profiles: readonly PriceSheet[],
  rule: MultiplierRule | undefined,
): PriceSheet => {
  const isKnown = region !== null && (regional.has(region) || DEFAULT_REGIONS.has(region));
  const others = [...(isKnown ? [] : regional.values()), ...profiles];
  const factors = boundsOf(sheet, others);
  if (isKnown) return factors === undefined ? sheet : { ...sheet, tokenFactors: factors };
  const isRegional = sheet.pricedModel.startsWith('regional.') && withoutArea(model) === model;
  const { low, high } = factors ?? { low: '1', high: '1' };
  // Ids without a routing area get the regional price.
  if (isRegional) return placedSheet(sheet, { low: rule?.low, high, version: rule?.version });
  return factors === undefined ? sheet : { ...sheet, tokenFactors: { low, high } };
};

/**
 * Adds prices by region. Where the region is not known, or has no listed price, the default price is the centre of a
 * range over the listed regions.
 */
export const withRegionalPrices = (
  { places }: PriceRules,
  listed: ListedPrices,
  prices: PriceSource,
): PriceSource => ({
  find(provider, model, at, contextTokens, region = null) {
    const sheet = prices.find(provider, model, at, contextTokens, region);
    const ruleOf = (pricedModel: string) =>
      multiplierFor(places, { provider, model: pricedModel, at, region });
    if (provider !== 'aws') {
      const rule = ruleOf(model);
      if (sheet === null || rule === undefined) return sheet;
      const isListed = region !== null && listed.regional(provider, model, at).has(region);
      return isListed ? sheet : placedSheet(sheet, rule);
    }
    const bare = withoutArea(model);
    if (sheet !== null) {
      const regional = listed.regional(provider, model, at);
      const rule = ruleOf(sheet.pricedModel);
      if (rule?.times !== undefined && !regional.has(region ?? '')) return placedSheet(sheet, rule);
      // Some tables list an id without an area at the global price, others at that of a region, which is higher.
      const isBare = bare === model && sheet.source === 'override' && !regional.has(region ?? '');
      const profiles = (isBare ? ['us', 'global'] : []).flatMap(
        (area) => listed.find(provider, `${area}.${model}`, at, contextTokens, null) ?? [],
      );
      return bedrockSheet(sheet, regional, model, region, profiles, rule);
    }
    // An area has the price of one of its regions.
    const base = bare === model ? null : prices.find(provider, bare, at, contextTokens, region);
    if (base === null || base.pricedModel.startsWith('regional.')) return base;
    const rule = ruleOf(base.pricedModel);
    return { ...(rule === undefined ? base : placedSheet(base, rule)), match: 'alias' };
  },
});
