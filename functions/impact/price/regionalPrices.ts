import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { withoutArea } from '../usage/bedrockId.ts';
import type { ListedPrices } from './priceList.ts';
import type { PriceSheet, PriceSource } from './priceSheet.ts';

/** Regions that have the default prices of Amazon Bedrock. */
const DEFAULT_REGIONS: ReadonlySet<string> = new Set(['us-east-1', 'us-east-2', 'us-west-2']);
/**
 * Azure charges a tenth more where data stay in a zone (`us/`, `eu/`) or a region than for a global deployment.
 * https://azure.microsoft.com/pricing/details/cognitive-services/openai-service/
 */
const DATA_ZONE_FACTOR = decimal('1.1');
const OPENAI_MODEL = /^(?:chatgpt|gpt-(?!oss)|o\d)/;
/**
 * Amazon Bedrock charges a tenth more for Claude 4.5 and later in a region than through the global profile. Ids without
 * a routing area get the regional price, although a producer can have left out `global.`.
 */
const GLOBAL_PROFILE_FACTOR = '0.909091';

/** Prices of areas without a listed price, relative to the default price (judgement, from the areas with one). */
const UNLISTED_AREA = { low: '1', high: '1.2' } as const;

const ONE = decimal('1');
const KINDS = ['input', 'cachedInput', 'cacheWrite', 'cacheWriteLong', 'output', 'reasoning'] as const;

const multiplied = (sheet: PriceSheet, factor: Decimal): PriceSheet => ({
  ...sheet,
  ...Object.fromEntries(
    KINDS.map((kind) => {
      const price = sheet[kind];
      return [kind, price === null ? null : toDecimalString(decimal(price).times(factor))];
    }),
  ),
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

const bedrockSheet = (
  sheet: PriceSheet,
  regional: ReadonlyMap<string, PriceSheet>,
  model: string,
  region: string | null,
): PriceSheet => {
  if (region !== null && (regional.has(region) || DEFAULT_REGIONS.has(region))) return sheet;
  const factors = boundsOf(sheet, regional.values());
  const isRegional = sheet.pricedModel.startsWith('regional.') && withoutArea(model) === model;
  const { low, high } = factors ?? { low: '1', high: '1' };
  if (isRegional) return { ...sheet, tokenFactors: { low: GLOBAL_PROFILE_FACTOR, high } };
  return factors === undefined ? sheet : { ...sheet, tokenFactors: { low, high } };
};

const azureSheet = (sheet: PriceSheet, model: string, region: string | null): PriceSheet => {
  if (!OPENAI_MODEL.test(model) || region === 'global') return sheet;
  if (region === 'us' || region === 'eu') return multiplied(sheet, DATA_ZONE_FACTOR);
  return { ...sheet, tokenFactors: { low: '1', high: DATA_ZONE_FACTOR.toString() } };
};

/**
 * Adds prices by region. Where the region is not known, or has no listed price, the default price is the centre of a
 * range over the listed regions.
 */
export const withRegionalPrices = (listed: ListedPrices, prices: PriceSource): PriceSource => ({
  find(provider, model, at, contextTokens, region = null) {
    if (provider !== 'aws' && provider !== 'azure') {
      return prices.find(provider, model, at, contextTokens, region);
    }
    const sheet = prices.find(provider, model, at, contextTokens, region);
    if (sheet !== null) {
      return provider === 'azure'
        ? azureSheet(sheet, model, region)
        : bedrockSheet(sheet, listed.regional(provider, model, at), model, region);
    }
    // An area has the price of one of its regions.
    const bare = withoutArea(model);
    const base = bare === model ? null : prices.find(provider, bare, at, contextTokens, region);
    if (base === null || base.pricedModel.startsWith('regional.')) return base;
    return { ...base, match: 'alias', tokenFactors: UNLISTED_AREA };
  },
});
