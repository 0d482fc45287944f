import { type PriceBand, type PriceBands, timesFactor } from './priceBands.ts';
import type { UnitPrices } from './priceSheet.ts';

/**
 * Claude Sonnet 4 and 4.5 cost twice as much for input and 1.5 times for output above 200,000 input tokens, at Anthropic,
 * Amazon Bedrock and Vertex AI. Price tables list it for some of these entries only.
 * https://docs.claude.com/en/docs/about-claude/pricing#long-context-pricing
 */
const LONG_CONTEXT_MODEL = /claude-(?:sonnet-4(?:-0|-5)?|4-sonnet)(?=$|[-@:](?:20\d{6}|latest|v\d))/;
const LONG_CONTEXT_TOKENS = 200_000;

const longContextPrices = (prices: UnitPrices): UnitPrices => ({
  ...prices,
  input: timesFactor(prices.input, '2'),
  cached_input: timesFactor(prices.cached_input, '2'),
  cache_write: timesFactor(prices.cache_write, '2'),
  cache_write_1h: timesFactor(prices.cache_write_1h, '2'),
  output: timesFactor(prices.output, '1.5'),
});

/** Adds the price of a long context to the bands of a model that has one but lists none. */
const withLongContext = (model: string, bands: PriceBands): PriceBands => {
  const [only, ...others] = bands;
  if (others.length > 0 || !LONG_CONTEXT_MODEL.test(model)) return bands;
  const tiers = Object.fromEntries(
    Object.entries(only.tiers).map(([tier, prices]) => [tier, longContextPrices(prices)]),
  );
  return [only, { above: LONG_CONTEXT_TOKENS, prices: longContextPrices(only.prices), tiers }];
};

const CLAUDE = /claude-/;
/**
 * A write to Claude's cache for an hour costs twice the input price, wherever the model runs.
 * https://docs.claude.com/en/docs/build-with-claude/prompt-caching#pricing
 */
const HOUR_WRITE_FACTOR = '2';
/** USD for a million web searches. https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const SEARCH_PRICE = '10000';

const claudePrices = (prices: UnitPrices): UnitPrices => ({
  ...prices,
  cache_write_1h:
    prices.cache_write_1h ??
    (prices.cache_write === null ? null : timesFactor(prices.input, HOUR_WRITE_FACTOR)),
  search: prices.search ?? SEARCH_PRICE,
});

const claudeBand = (band: PriceBand): PriceBand => ({
  ...band,
  prices: claudePrices(band.prices),
  tiers: Object.fromEntries(Object.entries(band.tiers).map(([tier, prices]) => [tier, claudePrices(prices)])),
});

/** Adds the prices that a vendor publishes as a rule for all its models, where a price table leaves them out. */
export const withVendorRules = (model: string, bands: PriceBands): PriceBands => {
  if (!CLAUDE.test(model)) return bands;
  const [first, ...others] = withLongContext(model, bands);
  return [claudeBand(first), ...others.map(claudeBand)];
};
