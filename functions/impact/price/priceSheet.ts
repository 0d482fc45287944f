/** USD per million tokens as decimal strings. Null if the model has no separate price for the kind. */
export interface UnitPrices {
  readonly input: string | null;
  readonly cachedInput: string | null;
  /** Writing to the cache; at Anthropic the five-minute one. */
  readonly cacheWrite: string | null;
  /** Price of a cache write for one hour. Events do not report the duration, so it only raises the upper bound. */
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
  /** Bounds of the prices per token where the region is unknown, as factors. */
  readonly tokenFactors?: { readonly low: string; readonly high: string } | undefined;
  /** Highest price per million requests, where the event does not report what determines it. */
  readonly requestHigh?: string;
}

export interface PriceSource {
  /**
   * Prices of a model at a moment, in the context band of `contextTokens` (everything read, cached tokens included).
   * Provider and model come from `modelIdentity`, the region from `priceRegion`. Null if the source does not know the
   * model.
   */
  find(
    provider: string,
    model: string,
    at: Date,
    contextTokens: number,
    region?: string | null,
  ): PriceSheet | null;
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

/** Returns the price sheet of the first source that has one. The order of the sources is their precedence. */
export const firstMatchOf = (sources: readonly PriceSource[]): PriceSource => ({
  find(provider, model, at, contextTokens, region) {
    for (const source of sources) {
      const sheet = source.find(provider, model, at, contextTokens, region);
      if (sheet !== null) return sheet;
    }
    return null;
  },
});
