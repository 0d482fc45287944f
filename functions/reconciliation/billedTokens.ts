import * as z from 'zod';
import type { BillRow } from '../../schemas/reconciliation.ts';
import { type TokenKind, tokenKinds } from '../../schemas/suggestedPrices.ts';
import { STANDARD_NAMES } from '../impact/price/serviceTier.ts';
import { regionName } from '../impact/regionName.ts';
import { decimal } from '../shared/decimal.ts';
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
 * The names of the kinds on bills, in lower case with single spaces. Cache writes for one hour are missing: their price is
 * not the one that a contract price has for cache writes. So are batch and priority meters, whose price is that of a tier.
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
  ['cache write input', 'cache_write'],
  ['input cache write', 'cache_write'],
  ['cache creation ephemeral 5m input', 'cache_write'],
  ['output', 'output'],
  ['completion', 'output'],
  ['reasoning', 'reasoning'],
  ['output reasoning', 'reasoning'],
  ['reasoning output', 'reasoning'],
]);

/** The kind of a meter, such as `Input Tokens` or `cache_read_input_tokens`. Null if it is not exactly one kind. */
export const tokenKindOf = (meter: string): TokenKind | null => {
  const words = (meter.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(
    (word) => !/^(?:tokens?|count)$/.test(word),
  );
  return KINDS.get(words.join(' ')) ?? null;
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

/** The tokens of a bill row. Null unless the row names a kind, a whole number of tokens and no tier of its own. */
export const billedTokensOf = (row: BillRow): BilledTokens | null => {
  const meter = row.SkuMeter ?? (row.SkuId ? meterOfSku(row.SkuId) : null);
  const kind = meter === null ? null : tokenKindOf(meter);
  const perUnit = row.ConsumedUnit ? tokensPerUnit(row.ConsumedUnit) : null;
  const isStandard = STANDARD_NAMES.has(
    (row.PricingCategory ?? '').trim().toLowerCase().replaceAll(' ', '_'),
  );
  if (kind === null || perUnit === null || !isStandard || !row.ConsumedQuantity) return null;
  const count = tokenCount(row.ConsumedQuantity, perUnit);
  return count === null ? null : { kind, count, ...billedRegion(row.RegionId) };
};
