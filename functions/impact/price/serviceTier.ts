import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { tokenKinds, type UnitPrices } from './priceSheet.ts';

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
}

const ONE = decimal('1');

const knownTier = (times: string, over: string | null = null): TierTerms => ({
  times: decimal(times),
  over: over === null ? null : decimal(over),
  stated: toDecimalString(decimal(times).div(over ?? '1')),
  low: ONE,
  high: ONE,
});

const unknownTier = (low: string, high: string): TierTerms => ({
  times: ONE,
  over: null,
  stated: null,
  low: decimal(low),
  high: decimal(high),
});

export const STANDARD = knownTier('1');
/** A request with `auto` is served by the tier of the project or organization, which is the standard one by default. */
const AUTOMATIC: TierTerms = { ...STANDARD, high: decimal('2.5') };
const HALF = knownTier('0.5');
/** Providers whose price pages list half the list price for the batch interface and the flex tier. */
export const HALF_FOR_BATCH = new Set(
  'openai azure anthropic google aws mistral groq together fireworks'.split(' '),
);
export const HALF_FOR_FLEX = new Set(['openai', 'google', 'aws']);
/** Batch at any other provider: between half the list price and the full list price. */
const UNLISTED_BATCH = unknownTier('0.5', '1');
/** A tier without a published multiplier: from a flex discount to the highest priority surcharge below. */
const UNLISTED = unknownTier('0.5', '2.5');
/**
 * Anthropic's fast mode: twice the list price of Opus 4.8 and 5. Earlier models cost six times as much at first, and later ran
 * at standard speed. https://platform.claude.com/docs/en/about-claude/pricing
 */
const FAST_MODEL = /claude-opus-(?:4-8|5)/;
const DOUBLE = knownTier('2');
const FAST = unknownTier('1', '6');
/** Latency-optimized inference of Amazon Bedrock, for all models that have it. https://aws.amazon.com/bedrock/pricing/ */
const OPTIMIZED = knownTier('1.25');
/** The priority tier of Amazon Bedrock. https://aws.amazon.com/bedrock/service-tiers/ */
const AWS_PRIORITY = knownTier('1.75');

export const STANDARD_NAMES = new Set([
  '',
  'default',
  'standard',
  'on_demand',
  'on-demand',
  'ondemand',
  'none',
]);

/** Priority over standard price by priced model. https://openai.com/api-priority-processing/ */
export const OPENAI_PRIORITY: ReadonlyMap<string, TierTerms> = new Map([
  ['gpt-4o', knownTier('1.7')],
  ['gpt-4o-2024-05-13', knownTier('1.75')],
  ['gpt-4o-mini', knownTier('5', '3')],
  ['gpt-4.1', knownTier('1.75')],
  ['gpt-4.1-mini', knownTier('1.75')],
  ['gpt-4.1-nano', knownTier('2')],
  ['o3', knownTier('1.75')],
  ['o4-mini', knownTier('20', '11')],
  ['gpt-5', knownTier('2')],
  ['gpt-5-mini', knownTier('1.8')],
  ['gpt-5-codex', knownTier('2')],
  ['gpt-5.1', knownTier('2')],
  ['gpt-5.1-codex', knownTier('2')],
  ['gpt-5.1-codex-mini', knownTier('1.8')],
  ['gpt-5.2', knownTier('2')],
  ['gpt-5.2-codex', knownTier('2')],
  ['gpt-5.3-codex', knownTier('2')],
  ['gpt-5.4', knownTier('2')],
  ['gpt-5.4-mini', knownTier('2')],
  ['gpt-5.5', knownTier('2.5')],
  ['gpt-5.6-sol', knownTier('2')],
  ['gpt-5.6-terra', knownTier('2')],
  ['gpt-5.6-luna', knownTier('2')],
]);
/** Google's priority over standard price, for Gemini 3 and later. https://ai.google.dev/gemini-api/docs/pricing */
export const GEMINI_PRIORITY = knownTier('1.8');

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
 * The terms of a tier without listed prices. A tier without a known price is charged at the list price with a wide range,
 * so that the uncertainty is visible.
 */
export const tierTerms = (provider: string, pricedModel: string, tier: string): TierTerms => {
  if (tier === 'batch') return HALF_FOR_BATCH.has(provider) ? HALF : UNLISTED_BATCH;
  if (STANDARD_NAMES.has(tier)) return STANDARD;
  if (tier === 'auto') return AUTOMATIC;
  // Groq's flex tier trades reliability, not price.
  if (tier === 'flex' && provider === 'groq') return STANDARD;
  if (tier === 'flex' && HALF_FOR_FLEX.has(provider)) return HALF;
  if (tier === 'priority' && provider === 'google' && /^gemini-[3-9]/.test(pricedModel))
    return GEMINI_PRIORITY;
  if (tier === 'priority' && provider === 'openai') return OPENAI_PRIORITY.get(pricedModel) ?? UNLISTED;
  if (tier === 'priority' && provider === 'aws') return AWS_PRIORITY;
  if (tier === 'optimized' && provider === 'aws') return OPTIMIZED;
  if (tier === 'fast') return FAST_MODEL.test(pricedModel) ? DOUBLE : FAST;
  return UNLISTED;
};
