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
