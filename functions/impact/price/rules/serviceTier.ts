import { type Decimal, decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import { tokenKinds, type UnitPrices } from '../priceSheet.ts';
import { type MultiplierRule, multiplierFor, type PriceRules, type RuledCall } from './priceRules.ts';

/** How a service tier changes the price per token. */
export interface TierTerms {
  /** Multiplier as a fraction, because some multipliers are not finite decimals (5/3 for gpt-4o-mini). */
  readonly times: Decimal;
  /** Null for 1, because divisions are slow. */
  readonly over: Decimal | null;
  /** The recorded multiplier. Null if it is unknown and the list price is used instead, or if it differs between kinds. */
  readonly stated: string | null;
  /** Bounds on the true multiplier relative to the one used. */
  readonly low: Decimal;
  readonly high: Decimal;
  /** The load that states the terms. */
  readonly version?: string | undefined;
}

const ONE = decimal('1');

/** The standard price. */
export const STANDARD: TierTerms = { times: ONE, over: null, stated: '1', low: ONE, high: ONE };

const termsOf = (
  { times, over, low, high, long_low: longLow, version }: MultiplierRule,
  isLong: boolean,
): TierTerms => ({
  times: decimal(times ?? '1'),
  over: over === undefined ? null : decimal(over),
  stated: times === undefined ? null : toDecimalString(decimal(times).div(over ?? '1')),
  low: decimal((isLong ? longLow : undefined) ?? low ?? '1'),
  high: decimal(high ?? '1'),
  version,
});

/** Names of the standard tier. */
export const STANDARD_NAMES = new Set([
  '',
  'default',
  'standard',
  'on_demand',
  'on-demand',
  'ondemand',
  'none',
  'traffic_type_unspecified',
]);

/** The name of the tier that served a call. `batch` takes precedence over a tier name. */
export const tierNameOf = (call: {
  readonly service_tier?: string | undefined;
  readonly batch?: boolean | undefined;
}): string =>
  call.batch === true
    ? 'batch'
    : (call.service_tier ?? '')
        .trim()
        .toLowerCase()
        .replace(/^service_tier_/, '')
        .replace(/^on_demand_(?=flex|priority)/, '');

/** The terms of a tier whose prices are listed, which replace the standard prices. */
export const listedTier = (standard: UnitPrices, listed: UnitPrices): TierTerms => {
  const ratios = tokenKinds.flatMap((kind) => {
    const [from, to] = [standard[kind], listed[kind]];
    if (from === null || to === null || decimal(from).eq('0')) return [];
    return [toDecimalString(decimal(to).div(from))];
  });
  const [ratio, ...others] = new Set(ratios);
  return { ...STANDARD, stated: ratio !== undefined && others.length === 0 ? ratio : null };
};

/**
 * The terms of a tier without listed prices. Where no rule states the price of a tier, the list price is charged with a wide
 * range, so that the uncertainty is visible.
 */
export const tierTerms = (
  { tiers }: PriceRules,
  call: RuledCall & { readonly tier: string },
  isLong = false,
): TierTerms => {
  if (STANDARD_NAMES.has(call.tier)) return STANDARD;
  const rule = multiplierFor(tiers, call);
  return rule === undefined ? STANDARD : termsOf(rule, isLong);
};
