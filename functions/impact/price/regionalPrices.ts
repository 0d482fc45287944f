import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { withoutArea } from '../usage/bedrockId.ts';
import { timesFactor } from './priceBands.ts';
import type { ListedPrices } from './priceList.ts';
import {
  type PriceSheet,
  type PriceSource,
  type TierPrices,
  tokenKinds,
  type UnitPrices,
} from './priceSheet.ts';

/** Regions that have the default prices of Amazon Bedrock. */
const DEFAULT_REGIONS: ReadonlySet<string> = new Set(['us-east-1', 'us-east-2', 'us-west-2']);
/**
 * Azure charges a tenth more where data stay in a zone (`us/`, `eu/`) or a region than for a global deployment.
 * https://azure.microsoft.com/pricing/details/cognitive-services/openai-service/
 */
const DATA_ZONE_FACTOR = '1.1';
const OPENAI_MODEL = /^(?:chatgpt|gpt-(?!oss)|o\d)/;
/**
 * Amazon Bedrock charges a tenth more for Claude 4.5 and later in a region than through the global profile. Ids without
 * a routing area get the regional price, although a producer can have left out `global.`.
 */
const GLOBAL_PROFILE_FACTOR = '0.909091';

/** Prices of areas without a listed price, relative to the default price (judgement, from the areas with one). */
const UNLISTED_AREA = { low: '1', high: '1.2' } as const;

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

const bedrockSheet = (
  sheet: PriceSheet,
  regional: ReadonlyMap<string, PriceSheet>,
  model: string,
  region: string | null,
  profile: PriceSheet | null,
): PriceSheet => {
  const isKnown = region !== null && (regional.has(region) || DEFAULT_REGIONS.has(region));
  const others = [...(isKnown ? [] : regional.values()), ...(profile === null ? [] : [profile])];
  const factors = boundsOf(sheet, others);
  if (isKnown) return factors === undefined ? sheet : { ...sheet, tokenFactors: factors };
  const isRegional = sheet.pricedModel.startsWith('regional.') && withoutArea(model) === model;
  const { low, high } = factors ?? { low: '1', high: '1' };
  if (isRegional) return { ...sheet, tokenFactors: { low: GLOBAL_PROFILE_FACTOR, high } };
  return factors === undefined ? sheet : { ...sheet, tokenFactors: { low, high } };
};

/**
 * Models that cost a tenth more where the data stay in an area: at Anthropic in the US, at OpenAI in a region, and Claude at
 * Vertex AI in any location except the global one. https://docs.claude.com/en/docs/about-claude/pricing#data-residency-pricing,
 * https://platform.openai.com/docs/guides/your-data, https://cloud.google.com/vertex-ai/generative-ai/pricing
 */
const RESIDENCY: ReadonlyMap<
  string,
  { readonly models: RegExp; readonly global: ReadonlySet<string> | null }
> = new Map([
  ['anthropic', { models: /^claude-(?:(?:opus|sonnet|haiku)-4-[6-9]|[a-z]+-[5-9])/, global: null }],
  ['openai', { models: /^gpt-5\.[4-9]/, global: null }],
  [
    'google',
    { models: /^claude-(?:(?:opus|sonnet|haiku)-4-[5-9]|[a-z]+-[5-9])/, global: new Set(['global']) },
  ],
]);
const AREA = /^(?:us|eu)(?:$|[-_])/;

/** The prices where data stay in an area. A missing region is the global endpoint, except at Vertex AI. */
const residentSheet = (
  sheet: PriceSheet,
  provider: string,
  model: string,
  region: string | null,
): PriceSheet => {
  const residency = RESIDENCY.get(provider);
  if (residency === undefined || !residency.models.test(model)) return sheet;
  if (residency.global === null) return AREA.test(region ?? '') ? multiplied(sheet, DATA_ZONE_FACTOR) : sheet;
  if (region === null) return { ...sheet, tokenFactors: { low: '1', high: DATA_ZONE_FACTOR } };
  return residency.global.has(region) ? sheet : multiplied(sheet, DATA_ZONE_FACTOR);
};

const azureSheet = (
  sheet: PriceSheet,
  regional: ReadonlyMap<string, PriceSheet>,
  model: string,
  region: string | null,
): PriceSheet => {
  if (!OPENAI_MODEL.test(model) || region === 'global') return sheet;
  if (region !== null && regional.has(region)) return sheet;
  if (region === 'us' || region === 'eu') return multiplied(sheet, DATA_ZONE_FACTOR);
  return { ...sheet, tokenFactors: { low: '1', high: DATA_ZONE_FACTOR } };
};

/**
 * Adds prices by region. Where the region is not known, or has no listed price, the default price is the centre of a
 * range over the listed regions.
 */
export const withRegionalPrices = (listed: ListedPrices, prices: PriceSource): PriceSource => ({
  find(provider, model, at, contextTokens, region = null) {
    if (provider !== 'aws' && provider !== 'azure') {
      const sheet = prices.find(provider, model, at, contextTokens, region);
      return sheet && residentSheet(sheet, provider, model, region);
    }
    const sheet = prices.find(provider, model, at, contextTokens, region);
    const bare = withoutArea(model);
    if (sheet !== null) {
      const regional = listed.regional(provider, model, at);
      if (provider === 'azure') return azureSheet(sheet, regional, model, region);
      // Tables list an id without an area at the global price, although a region charges more.
      const profile =
        bare === model && sheet.source === 'override' && !regional.has(region ?? '')
          ? listed.find(provider, `us.${model}`, at, contextTokens, null)
          : null;
      return bedrockSheet(sheet, regional, model, region, profile);
    }
    // An area has the price of one of its regions.
    const base = bare === model ? null : prices.find(provider, bare, at, contextTokens, region);
    if (base === null || base.pricedModel.startsWith('regional.')) return base;
    return { ...base, match: 'alias', tokenFactors: UNLISTED_AREA };
  },
});
