import type { PriceSheet, PriceSource } from './priceSheet.ts';

/**
 * Fees of Perplexity for a search, in USD per million requests, by size of the search context: low (the default), and
 * high. An event does not report the size. https://docs.perplexity.ai/getting-started/pricing
 */
export const SEARCH_FEES: ReadonlyMap<string, { readonly low: string; readonly high: string }> = new Map([
  ['sonar', { low: '5000', high: '12000' }],
  ['sonar-pro', { low: '6000', high: '14000' }],
  ['sonar-reasoning', { low: '5000', high: '12000' }],
  ['sonar-reasoning-pro', { low: '6000', high: '14000' }],
]);

/**
 * OpenAI's models for web search run a search on each call, which most producers do not report.
 * https://platform.openai.com/docs/pricing
 */
const SEARCHES_EACH_CALL = /^gpt-.*-search-(?:preview|api)/;

/** The web searches of a call for which the producer reports none. */
export const impliedSearches = (model: string): number => (SEARCHES_EACH_CALL.test(model) ? 1 : 0);

/** Models that search tens of times in a call. Most producers do not report how often (judgement). */
const DEEP_RESEARCH = /deep-research/;
const DEEP_RESEARCH_SEARCHES = 50;

/** The most web searches that a call can have run, for which the producer reports none. */
export const mostSearches = (model: string): number =>
  DEEP_RESEARCH.test(model) ? DEEP_RESEARCH_SEARCHES : impliedSearches(model);

const withFeeRange = (sheet: PriceSheet): PriceSheet => {
  const fee = SEARCH_FEES.get(sheet.pricedModel);
  return fee === undefined ? sheet : { ...sheet, request: fee.low, requestHigh: fee.high };
};

/** Adds the range of search fees to the prices of Perplexity, whose catalogue entry has the highest fee only. */
export const withSearchFees = (prices: PriceSource): PriceSource => ({
  find(provider, model, at, contextTokens, region) {
    const sheet = prices.find(provider, model, at, contextTokens, region);
    return sheet !== null && provider === 'perplexity' ? withFeeRange(sheet) : sheet;
  },
});
