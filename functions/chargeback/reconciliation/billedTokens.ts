import * as z from 'zod';
import type { BillRow } from '../../../schemas/chargeback/reconciliation.ts';
import { type TokenKind, tokenKinds } from '../../../schemas/chargeback/suggestedPrices.ts';
import { regionName } from '../../impact/usage/regionName.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { billTier, TIER_WORDS } from './billTier.ts';
import { meterOfSku } from './normalizeModel.ts';

/** The tokens that a bill row charges for. */
export const BilledTokens = z.object({
  kind: z.enum(tokenKinds),
  count: z.int().nonnegative(),
  /** The region in which they were used, as contract prices name it. */
  region: z.string().optional(),
});
export type BilledTokens = z.infer<typeof BilledTokens>;

/**
 * The names of the kinds on bills, in lower case with single spaces. Other tokens, such as those of audio, are missing:
 * their price is not the one that a contract price has.
 */
const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['input', 'input'],
  ['uncached input', 'input'],
  ['prompt', 'input'],
  ['cached input', 'cached_input'],
  ['cached', 'cached_input'],
  ['input cached', 'cached_input'],
  ['cache read', 'cached_input'],
  ['cache read input', 'cached_input'],
  ['input cache read', 'cached_input'],
  ['cache write', 'cache_write'],
  ['cache writes', 'cache_write'],
  ['cache write input', 'cache_write'],
  ['input cache write', 'cache_write'],
  ['cache creation input', 'cache_write'],
  ['cache creation ephemeral input', 'cache_write'],
  ['output', 'output'],
  ['completion', 'output'],
  ['reasoning', 'reasoning'],
  ['output reasoning', 'reasoning'],
  ['reasoning output', 'reasoning'],
]);

interface Meter {
  /** Null if the meter is not exactly one kind of tokens. */
  readonly kind: TokenKind | null;
  /** What gives the tokens another price than the standard one, such as `batch`. Null if nothing does. */
  readonly tier: string | null;
}

/** A meter, such as `Input Tokens`, `cache_read_input_tokens` or `output, long context`. */
export const readMeter = (meter: string): Meter => {
  const words = (meter.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(
    // A cache write for five minutes is the one that a contract price has.
    (word) => !/^(?:tokens?|count|5m)$/.test(word),
  );
  const isTier = (word: string): boolean => TIER_WORDS.has(word);
  const kind = KINDS.get(words.filter((word) => !isTier(word)).join(' ')) ?? null;
  // The name of a model can have such a word too, so it only counts beside a kind.
  return { kind, tier: kind === null ? null : words.filter(isTier).join(' ') || null };
};

const UNIT = /^(?:(1|1000|1,000|1000000|1,000,000)\s*)?(k|m|thousand|million)?\s*tokens?$/i;
const FACTORS: Readonly<Record<string, number>> = {
  k: 1_000,
  thousand: 1_000,
  m: 1_000_000,
  million: 1_000_000,
};

/** The tokens of one unit, such as `Tokens` or `1K tokens`. Null if it is no unit of tokens. */
export const tokensPerUnit = (unit: string): number | null => {
  const match = UNIT.exec(unit.trim());
  if (match === null) return null;
  const [, number = '1', word = ''] = match;
  return Number(number.replaceAll(',', '')) * (FACTORS[word.toLowerCase()] ?? 1);
};

/** The tokens that a decimal number of units has. Null if they are no whole number, because the number was rounded. */
export const tokenCount = (quantity: string, perUnit = 1): number | null => {
  const count = Number(decimal(quantity).times(String(perUnit)).toFixed());
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
};

/** Names of regions are short. A long text would make a day too large to store. */
const REGION = /^[a-z0-9-]{1,24}$/;

/** The region of a bill row as a member of its tokens; none if the row has no short one. */
export const billedRegion = (regionId: string | null | undefined): Pick<BilledTokens, 'region'> => {
  const region = regionName(regionId ?? '');
  return REGION.test(region) ? { region } : {};
};

/** The meter of a bill row: a column, or the end of the SKU. */
const meterOf = ({ SkuMeter, SkuId }: BillRow): Meter => {
  const meter = SkuMeter ?? (SkuId ? meterOfSku(SkuId) : null);
  return meter === null ? { kind: null, tier: null } : readMeter(meter);
};

/** The tier of a bill row, as its category or its meter names it. Null for the standard tier. */
export const billedTierOf = (row: BillRow): string | null =>
  billTier(row.PricingCategory ?? '') ?? meterOf(row).tier;

/** The tokens of a bill row. Null unless the row names a kind and a whole number of tokens. */
export const billedTokensOf = (row: BillRow): BilledTokens | null => {
  const { kind } = meterOf(row);
  const perUnit = row.ConsumedUnit ? tokensPerUnit(row.ConsumedUnit) : null;
  if (kind === null || perUnit === null || !row.ConsumedQuantity) return null;
  const count = tokenCount(row.ConsumedQuantity, perUnit);
  return count === null ? null : { kind, count, ...billedRegion(row.RegionId) };
};
