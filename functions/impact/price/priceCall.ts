import type { CostComponent } from '../../../schemas/attribution/explanation.ts';
import { Big, type Decimal, decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import type { Usage } from '../usage/usage.ts';
import type { PriceSheet } from './priceSheet.ts';
import type { TierTerms } from './serviceTier.ts';

/** A priced call in USD. Low and high are the bounds for unknown cache use. */
export interface PricedCall {
  readonly components: CostComponent[];
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
}

const MILLIONTH = decimal('0.000001');

/** Fractional digits of a price per million. A token then costs a multiple of 1e-12 USD: costs are exact in 12 digits. */
const UNIT_PRICE_DIGITS = 6;
/** Rounding mode. Half of the smallest price must not round to zero. */
const HALF_UP = 1;

type Kind = CostComponent['kind'];
/** Tokens of one kind and their list price. Null if the model has no price for the kind. */
type Bucket = readonly [kind: Kind, quantity: number, listPrice: string | null];

/**
 * A kind without a price is charged as the kind that contains it: cache reads and writes as input, reasoning as output.
 * The catalogue defines its entries in this way.
 */
const bucketsOf = (sheet: PriceSheet, usage: Usage, output: number): Bucket[] => {
  const reasoning = sheet.reasoning === null ? 0 : usage.reasoning;
  return [
    ['input', usage.uncached, sheet.input],
    ['cached_input', usage.cached, sheet.cachedInput ?? sheet.input],
    ['cache_write', usage.cacheWrite, sheet.cacheWrite ?? sheet.input],
    ['output', output - reasoning, sheet.output],
    ['reasoning', reasoning, sheet.reasoning],
    ['request', sheet.request === null ? 0 : 1, sheet.request],
  ];
};

const ALWAYS_SHOWN: ReadonlySet<Kind> = new Set(['input', 'output']);

/** Prices the tokens of one call with one price sheet and service tier. A tier does not change the fee per request. */
export const priceCall = (
  sheet: PriceSheet,
  usage: Usage,
  tier: TierTerms,
): PricedCall | 'usage_missing' | 'price_not_found' => {
  if (usage.output === null && sheet.output !== null) return 'usage_missing';
  const buckets = bucketsOf(sheet, usage, usage.output ?? 0);
  if (buckets.some(([, quantity, price]) => quantity > 0 && price === null)) return 'price_not_found';

  const atTier = (price: string): Decimal => {
    const multiplied = decimal(price).times(tier.times);
    return tier.over === null ? multiplied : multiplied.div(tier.over);
  };
  const components: CostComponent[] = [];
  let central = Big('0');
  for (const [kind, quantity, price] of buckets) {
    if (price === null || (quantity === 0 && !ALWAYS_SHOWN.has(kind))) continue;
    const exact = kind === 'request' ? decimal(price) : atTier(price);
    const unitPrice = toDecimalString(exact.round(UNIT_PRICE_DIGITS, HALF_UP));
    const cost = toDecimalString(wholeNumber(quantity).times(unitPrice).times(MILLIONTH));
    components.push({ kind, quantity, unit_price_usd_per_million: unitPrice, cost_usd: cost });
    central = central.plus(cost);
  }

  /** USD by which the cost would change had `tokens` been charged at another price. */
  const priceDifference = (tokens: number, from: string | null, to: string | null): Decimal =>
    from === null || to === null || tokens === 0
      ? Big('0')
      : wholeNumber(tokens)
          .times(atTier(to).minus(atTier(from)))
          .times(MILLIONTH);
  // If cache use is unknown, the lower bound assumes that all input was cached, the upper bound that none was.
  const cacheSaving = usage.cachedKnown
    ? Big('0')
    : priceDifference(usage.uncached, sheet.input, sheet.cachedInput);
  // The event does not say whether a cache entry was written for five minutes or for an hour, which costs more.
  const longCacheSurcharge = priceDifference(usage.cacheWrite, sheet.cacheWrite, sheet.cacheWriteLong);
  return { components, low: central.plus(cacheSaving), central, high: central.plus(longCacheSurcharge) };
};
