/** USD per million tokens as decimal strings; null where the model has no price of its own for that kind. */
export interface UnitPrices {
  readonly input: string | null;
  readonly cachedInput: string | null;
  /** Writing to the cache; at Anthropic the five-minute one. */
  readonly cacheWrite: string | null;
  /** Writing to the cache for an hour. Events do not say which, so it only widens the range. */
  readonly cacheWriteLong: string | null;
  readonly output: string | null;
  /** Reasoning tokens, for the few models that do not charge them as output. */
  readonly reasoning: string | null;
  /** USD per million requests, on top of the tokens. */
  readonly request: string | null;
}

export type PriceMatch = 'exact' | 'alias' | 'family';

/** The prices of one model, for one moment and one length of context. */
export interface PriceSheet extends UnitPrices {
  readonly source: 'contract' | 'override' | 'catalogue';
  /** Name and version of the price list. */
  readonly catalogue: string;
  readonly match: PriceMatch;
  readonly pricedModel: string;
  /** True where other kinds of tokens (audio, images) or units (hours, pages) have prices of their own. */
  readonly otherModalities: boolean;
}

export interface PriceSource {
  /**
   * Prices of a model at a moment, in the context band of `contextTokens` (everything read, cached tokens included).
   * Provider and model come from `modelIdentity`. Null where the source does not know the model.
   */
  find(provider: string, model: string, at: Date, contextTokens: number): PriceSheet | null;
}

export const NO_PRICES: UnitPrices = {
  input: null,
  cachedInput: null,
  cacheWrite: null,
  cacheWriteLong: null,
  output: null,
  reasoning: null,
  request: null,
};

/** Asks the sources in order and takes the first answer: the order is the precedence of the price lists. */
export const firstMatchOf = (sources: readonly PriceSource[]): PriceSource => ({
  find(provider, model, at, contextTokens) {
    for (const source of sources) {
      const sheet = source.find(provider, model, at, contextTokens);
      if (sheet !== null) return sheet;
    }
    return null;
  },
});
