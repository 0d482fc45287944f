import type { CostComponent } from '../../../schemas/attribution/costExplanation.ts';
import { isFeeKind } from '../../../schemas/attribution/unitPrices.ts';
import {
  type Decimal,
  decimal,
  sumOf,
  toDecimalString,
  wholeNumber,
  ZERO,
} from '../../platform/shared/decimal.ts';
import type { Usage } from '../usage/usage.ts';
import { HIGHEST_UNIT_PRICES } from './plausibleCost.ts';
import type { PriceSheet } from './priceSheet.ts';
import { mediaTimes, type PriceRules } from './rules/priceRules.ts';
import type { TierTerms } from './rules/serviceTier.ts';

/** A priced call in USD. Low and high are the bounds for unknown cache use, cache time and fees. */
export interface PricedCall {
  readonly components: CostComponent[];
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
  /** Whether a part of the usage has no price. The range contains the highest ones that are published. */
  readonly hasUnpriced: boolean;
}

const MILLIONTH = decimal('0.000001');

/** Fractional digits of a price per million. A token then costs a multiple of 1e-12 USD: costs are exact in 12 digits. */
const UNIT_PRICE_DIGITS = 6;
/** Rounding mode. Half of the smallest price must not round to zero. */
const HALF_UP = 1;

type MediaRules = Pick<PriceRules, 'media'>;
type Kind = CostComponent['kind'];
/** Quantity of one kind and its list price. Null if the model has no price for the kind. */
type Bucket = readonly [kind: Kind, quantity: number, listPrice: string | null];

/** The usage of a call, with its web searches counted or derived from the model. */
type CountedUsage = Usage & {
  readonly searches: number;
  readonly mostSearches: number;
  /** Whether a quota of the account can cover the searches. */
  readonly hasQuota: boolean;
};

/**
 * A kind without a price is charged as the kind that contains it: cache reads and writes as input, reasoning as output,
 * audio and images as the text beside them. The catalogue defines its entries in this way.
 */
const bucketsOf = (sheet: PriceSheet, usage: CountedUsage, output: number): Bucket[] => {
  const apart = (count: number, price: string | null): number => (price === null ? 0 : count);
  const audio = apart(usage.audioInput.uncached, sheet.audio_input);
  const image = apart(usage.imageInput.uncached, sheet.image_input);
  const cachedAudio = apart(usage.audioInput.cached, sheet.cached_audio_input);
  const cachedImage = apart(usage.imageInput.cached, sheet.cached_image_input);
  const hourWrite = apart(usage.hourWrite ?? 0, sheet.cache_write_1h);
  const reasoning = apart(usage.reasoning, sheet.reasoning);
  const audioOutput = apart(usage.audioOutput, sheet.audio_output);
  const imageOutput = apart(usage.imageOutput, sheet.image_output);
  return [
    ['input', usage.uncached - audio - image, sheet.input],
    ['cached_input', usage.cached - cachedAudio - cachedImage, sheet.cached_input ?? sheet.input],
    ['cache_write', usage.cacheWrite - hourWrite, sheet.cache_write ?? sheet.input],
    ['cache_write_1h', hourWrite, sheet.cache_write_1h],
    ['audio_input', audio, sheet.audio_input],
    ['cached_audio_input', cachedAudio, sheet.cached_audio_input],
    ['image_input', image, sheet.image_input],
    ['cached_image_input', cachedImage, sheet.cached_image_input],
    ['output', output - reasoning - audioOutput - imageOutput, sheet.output],
    ['reasoning', reasoning, sheet.reasoning],
    ['audio_output', audioOutput, sheet.audio_output],
    ['image_output', imageOutput, sheet.image_output],
    ['request', sheet.request === null ? 0 : 1, sheet.request],
    ['search', apart(usage.searches, sheet.search), sheet.search],
    ...usage.units.map(({ kind, count }): Bucket => [kind, apart(count, sheet[kind]), sheet[kind]]),
  ];
};

const ALWAYS_SHOWN: ReadonlySet<Kind> = new Set(['input', 'output']);

/** What was used and has no price. */
const unpricedUnits = (sheet: PriceSheet, usage: CountedUsage) =>
  [...usage.units, { kind: 'search' as const, count: usage.searches }].filter(
    ({ kind, count }) => count > 0 && sheet[kind] === null,
  );

/** Tokens of media without a price of their own, which are charged as text, and how many times as much they cost at most. */
const mediaAsText = (sheet: PriceSheet, usage: CountedUsage, rules: MediaRules) => {
  const audioInput = usage.audioInput.uncached + usage.audioInput.cached;
  return (
    [
      ['audio_input', audioInput, sheet.input],
      ['audio_output', usage.audioOutput, sheet.output],
      ['image_output', usage.imageOutput, sheet.output],
    ] as const
  )
    .map(([kind, tokens, text]) => ({
      ...{ tokens, text, price: sheet[kind] },
      times: decimal(mediaTimes(rules, sheet.pricedModel, kind)),
    }))
    .filter(({ tokens, price, times }) => tokens > 0 && price === null && times.gt('1'));
};

/** USD by which the fees can exceed those charged. */
const feeRange = (sheet: PriceSheet, usage: CountedUsage): Decimal => {
  const excess = (high: string | undefined, charged: string | null, count: number): Decimal =>
    high === undefined || count === 0
      ? ZERO
      : wholeNumber(count)
          .times(decimal(high).minus(charged ?? '0'))
          .times(MILLIONTH);
  return unpricedUnits(sheet, usage)
    .reduce(
      (sum, { kind, count }) => sum.plus(excess(HIGHEST_UNIT_PRICES[kind], null, count)),
      excess(sheet.requestHigh, sheet.request, 1).plus(
        sheet.search === null ? '0' : excess(sheet.searchHigh, sheet.search, usage.searches),
      ),
    )
    .plus(
      excess(
        sheet.searchHigh ?? sheet.search ?? HIGHEST_UNIT_PRICES.search,
        null,
        usage.mostSearches - usage.searches,
      ),
    );
};

/** Prices the tokens of one call with one price sheet and service tier. A tier does not change the fee per request. */
export const priceCall = (
  sheet: PriceSheet,
  usage: CountedUsage,
  tier: TierTerms,
  rules: MediaRules,
): PricedCall | 'usage_missing' | 'price_not_found' => {
  if (usage.output === null && sheet.output !== null) return 'usage_missing';
  const buckets = bucketsOf(sheet, usage, usage.output ?? 0);
  if (buckets.some(([, quantity, price]) => quantity > 0 && price === null)) return 'price_not_found';

  const atTier = (price: string): Decimal => {
    const multiplied = decimal(price).times(tier.times);
    return tier.over === null ? multiplied : multiplied.div(tier.over);
  };
  const components: CostComponent[] = [];
  let [central, fees, covered] = [ZERO, ZERO, ZERO];
  for (const [kind, quantity, price] of buckets) {
    if (price === null || (quantity === 0 && !ALWAYS_SHOWN.has(kind))) continue;
    const exact = isFeeKind(kind) ? decimal(price) : atTier(price);
    const unitPrice = toDecimalString(exact.round(UNIT_PRICE_DIGITS, HALF_UP));
    const cost = toDecimalString(wholeNumber(quantity).times(unitPrice).times(MILLIONTH));
    components.push({ kind, quantity, unit_price_usd_per_million: unitPrice, cost_usd: cost });
    central = central.plus(cost);
    if (isFeeKind(kind)) fees = fees.plus(cost);
    if (kind === 'search' && usage.hasQuota) covered = covered.plus(cost);
  }

  /** USD by which the cost would change had `tokens` been charged at another price. */
  const priceDifference = (tokens: number, from: string | null, to: string | null): Decimal =>
    from === null || to === null || tokens === 0
      ? ZERO
      : wholeNumber(tokens)
          .times(atTier(to).minus(atTier(from)))
          .times(MILLIONTH);
  // If cache use is unknown, the lower bound assumes that all input was cached, the upper bound that none was.
  const cacheSaving = usage.cachedKnown
    ? ZERO
    : priceDifference(usage.uncached, sheet.input, sheet.cached_input);
  // Where nothing says which of the cached tokens are audio or images, as few of them as possible are charged so.
  const inputPrice = sheet.cached_input ?? sheet.input;
  const cachedMedia = usage.audioInput.cached + usage.imageInput.cached;
  const moreCachedMedia = (
    [
      [usage.audioInput, sheet.audio_input, sheet.cached_audio_input],
      [usage.imageInput, sheet.image_input, sheet.cached_image_input],
    ] as const
  ).map(([{ uncached, isCachedKnown }, price, cachedPrice]) => {
    const tokens = price === null || isCachedKnown ? 0 : Math.min(uncached, usage.cached - cachedMedia);
    return priceDifference(tokens, price, cachedPrice ?? inputPrice).plus(
      priceDifference(tokens, inputPrice, sheet.input),
    );
  });
  const mediaDifference = (isWanted: (difference: Decimal) => boolean): Decimal =>
    sumOf(moreCachedMedia.filter(isWanted));
  // An event that does not say how long a cache entry was kept: an hour costs more than five minutes.
  const longCacheSurcharge =
    usage.hourWrite === null
      ? priceDifference(usage.cacheWrite, sheet.cache_write, sheet.cache_write_1h)
      : ZERO;
  const media = mediaAsText(sheet, usage, rules);
  const mediaSurcharge = sumOf(
    media.map(({ tokens, text, times }) =>
      wholeNumber(tokens)
        .times(times.minus('1'))
        .times(atTier(text ?? '0'))
        .times(MILLIONTH),
    ),
  );
  const range = (factor: keyof NonNullable<PriceSheet['tokenFactors']>, tokens: Decimal): Decimal =>
    tokens
      .minus(fees)
      .times(tier[factor])
      .times(sheet.tokenFactors?.[factor] ?? '1')
      .plus(fees);
  return {
    components,
    low: range('low', central.plus(cacheSaving).plus(mediaDifference((one) => one.lt('0')))).minus(covered),
    central,
    hasUnpriced: unpricedUnits(sheet, usage).length + media.length > 0,
    high: range(
      'high',
      central
        .plus(longCacheSurcharge)
        .plus(mediaSurcharge)
        .plus(mediaDifference((one) => one.gt('0'))),
    ).plus(feeRange(sheet, usage)),
  };
};
