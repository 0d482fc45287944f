import {
  isFeeKind,
  type PricedKind,
  type PricedTier,
  pricedKinds,
} from '../../../schemas/attribution/unitPrices.ts';
import type { BillingMode } from '../../../schemas/ingest/invocationEvent.ts';

/**
 * USD per million as decimal strings. Null if the model has no separate price for the kind. `cache_write` at Anthropic is
 * the write for five minutes.
 */
export type UnitPrices = Readonly<Record<PricedKind, string | null>>;

/** The unit prices of all kinds. */
export const unitPrices = (priceOf: (kind: PricedKind) => string | null): UnitPrices => ({
  input: priceOf('input'),
  cached_input: priceOf('cached_input'),
  cache_write: priceOf('cache_write'),
  cache_write_1h: priceOf('cache_write_1h'),
  output: priceOf('output'),
  reasoning: priceOf('reasoning'),
  audio_input: priceOf('audio_input'),
  cached_audio_input: priceOf('cached_audio_input'),
  audio_output: priceOf('audio_output'),
  image_input: priceOf('image_input'),
  cached_image_input: priceOf('cached_image_input'),
  image_output: priceOf('image_output'),
  request: priceOf('request'),
  search: priceOf('search'),
  file_search: priceOf('file_search'),
  code_execution: priceOf('code_execution'),
  rerank_search: priceOf('rerank_search'),
  audio_second: priceOf('audio_second'),
  video_second: priceOf('video_second'),
  image: priceOf('image'),
  page: priceOf('page'),
  character: priceOf('character'),
});

export const NO_PRICES = unitPrices(() => null);

/** The kinds that are priced per token. Their prices depend on the region, the tier and the length of the context. */
export const tokenKinds: readonly PricedKind[] = pricedKinds.filter((kind) => !isFeeKind(kind));

export type TierPrices = Readonly<Partial<Record<PricedTier, UnitPrices>>>;

export type PriceMatch = 'exact' | 'alias' | 'family';

/** What another source states for the same call. */
export interface OtherPrices {
  readonly source: string;
  /** Only the kinds that the source states. */
  readonly prices: Partial<UnitPrices>;
  readonly tiers: TierPrices;
}

/** The prices of one model, for one moment and one length of context. */
export interface PriceSheet extends UnitPrices {
  readonly source: 'contract' | 'override' | 'catalogue';
  /** Name and version of the price list. */
  readonly catalogue: string;
  readonly match: PriceMatch;
  readonly pricedModel: string;
  /** Who sells the model, if the provider of the call is unknown. Its service tiers count then. */
  readonly soldBy?: string | undefined;
  /** True where other kinds of tokens (audio, images) or units (hours, pages) have prices of their own. */
  readonly otherModalities: boolean;
  /** The prices are those of calls that read more tokens. -1: of the shortest calls. */
  readonly aboveTokens: number;
  /** Prices of service tiers. A tier that is not listed has a multiple of the prices above. */
  readonly tiers: TierPrices;
  /** Bounds of the prices per token where the region is unknown, as factors. */
  readonly tokenFactors?: { readonly low: string; readonly high: string } | undefined;
  /** Highest price per million requests or searches, where the event does not report what determines it. */
  readonly requestHigh?: string | undefined;
  readonly searchHigh?: string | undefined;
  /** Seconds and characters are a price only where no tokens are reported, and characters only where no seconds are. */
  readonly unitsForTokens?: boolean | undefined;
  /** An operator has loaded the price, whatever other sources state. */
  readonly isSettled?: boolean | undefined;
  /** Sources that state another price. The cost is a range over all of them. */
  readonly others?: readonly OtherPrices[];
}

export interface PriceSource {
  /**
   * Prices of a model at a moment, in the context band of `contextTokens` (everything read, cached tokens included).
   * Provider and model come from `modelIdentity`, the region from `priceRegion`. Null if the source does not know the
   * model. Only contracts have prices for calls that are not metered.
   */
  find(
    provider: string,
    model: string,
    at: Date,
    contextTokens: number,
    region?: string | null,
    billing?: BillingMode,
  ): PriceSheet | null;
}

/** Returns the price sheet of the first source that has one. The order of the sources is their precedence. */
export const firstMatchOf = (sources: readonly PriceSource[]): PriceSource => ({
  find(...call) {
    for (const source of sources) {
      const sheet = source.find(...call);
      if (sheet !== null) return sheet;
    }
    return null;
  },
});
