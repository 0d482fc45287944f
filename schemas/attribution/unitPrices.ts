import * as z from 'zod';

/**
 * A price per million. With six fractional digits, the cost of one token is a multiple of 1e-12 USD, so quantity times
 * unit price is exact. With nine whole digits, the cost of the longest call in the most expensive tier fits into a record.
 */
export const UnitPrice = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/,
    'must be a non-negative decimal string with at most 9 digits before and 6 digits after the decimal point',
  )
  .meta({ id: 'UnitPrice' });

/** What a call can use besides tokens, requests and web searches. */
export const unitKinds = [
  'file_search',
  'code_execution',
  'rerank_search',
  'audio_second',
  'video_second',
  'image',
  'page',
  'character',
] as const;
export type UnitKind = (typeof unitKinds)[number];

/** What a price can be for: USD per million tokens, or per million of what else the name says. */
export const pricedKinds = [
  'input',
  'cached_input',
  'cache_write',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'cached_image_input',
  'image_output',
  'request',
  'search',
  ...unitKinds,
] as const;
export type PricedKind = (typeof pricedKinds)[number];

const FEE_KINDS: ReadonlySet<string> = new Set(['request', 'search', ...unitKinds]);
/** Whether a kind counts no tokens. Its price does not depend on the region, the tier and the length of the context. */
export const isFeeKind = (kind: string): boolean => FEE_KINDS.has(kind);

/** Service tiers that can have prices of their own. */
export const pricedTiers = ['batch', 'flex', 'priority'] as const;
export type PricedTier = (typeof pricedTiers)[number];
export const isPricedTier = (tier: string): tier is PricedTier => pricedTiers.some((name) => name === tier);

const price = UnitPrice.optional();

/** A kind without a price is charged as the kind that contains it: cache use, audio and images as input or output. */
const KindPrices = z.strictObject({
  input: price,
  cached_input: price,
  cache_write: price,
  cache_write_1h: price.meta({
    description: 'Cache writes kept for an hour. `cache_write`: for a shorter time',
  }),
  output: price,
  reasoning: price,
  audio_input: price,
  cached_audio_input: price,
  audio_output: price,
  image_input: price,
  cached_image_input: price,
  image_output: price,
  request: price,
  search: price.meta({ description: 'Web searches that the provider ran for a call' }),
  file_search: price.meta({ description: 'Searches of files or vector stores that the provider ran' }),
  code_execution: price.meta({ description: 'Sessions or runs of a code interpreter of the provider' }),
  rerank_search: price.meta({ description: 'Searches of a rerank model' }),
  audio_second: price.meta({ description: 'Seconds of audio that were read or generated' }),
  video_second: price.meta({ description: 'Seconds of video' }),
  image: price.meta({ description: 'Generated images' }),
  page: price.meta({ description: 'Pages of documents' }),
  character: price.meta({ description: 'Characters, for speech' }),
} satisfies Record<PricedKind, unknown>);

export const BANDS_MAXIMUM = 5;

const Band = z
  .strictObject({
    above_tokens: z.int().min(1).max(1_000_000_000).meta({
      description:
        'The prices apply to all tokens of a call that reads more tokens than this. Cached tokens count as read',
    }),
    ...KindPrices.shape,
  })
  .meta({ id: 'PriceBand' });

/** Prices by the length of the context. A kind that a band leaves out keeps the price of the band below. */
const BandedPrices = z.strictObject({
  ...KindPrices.shape,
  bands: z
    .array(Band)
    .min(1)
    .max(BANDS_MAXIMUM)
    .refine((bands) => new Set(bands.map((band) => band.above_tokens)).size === bands.length, {
      message: 'must have different values of above_tokens',
    })
    .optional()
    .meta({ description: 'Prices of calls with a long context' }),
});
const TierPrices = BandedPrices.meta({
  id: 'TierPrices',
  description:
    'Prices of a service tier. A kind or band that they leave out costs as much more or less than the standard price as the kind that contains it',
});

/** All prices of a model. */
export const Prices = z.strictObject({
  ...BandedPrices.shape,
  batch: TierPrices.optional().meta({ description: 'Prices of the batch interface' }),
  flex: TierPrices.optional().meta({ description: 'Prices of the service tier `flex`' }),
  priority: TierPrices.optional().meta({ description: 'Prices of the service tier `priority`' }),
} satisfies Record<PricedTier, unknown> & z.core.$ZodLooseShape);
export type Prices = z.infer<typeof Prices>;
export type BandedPrices = z.infer<typeof BandedPrices>;
export type KindPrices = z.infer<typeof KindPrices>;
