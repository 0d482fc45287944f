import * as z from 'zod';
import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { tokenKinds } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { regionName } from '../../../impact/usage/regionName.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { meterOfRow, unitOfRow } from '../meters/rowMeter.ts';
import { billTier } from './billTier.ts';

/** The tokens that a bill row charges for. */
export const BilledTokens = z.object({
  kind: z.enum(tokenKinds),
  count: z.int().nonnegative(),
  /** The region in which they were used, as contract prices name it. */
  region: z.string().optional(),
});
export type BilledTokens = z.infer<typeof BilledTokens>;

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

/** The tier of a bill row, as its category or its meter names it. Null for the standard tier. */
export const billedTierOf = (row: BillRow): string | null =>
  billTier(row.PricingCategory ?? '') ?? meterOfRow(row).tier;

/** The tokens of a bill row. Null unless the row names a kind and a whole number of tokens. */
export const billedTokensOf = (row: BillRow): BilledTokens | null => {
  const { kind } = meterOfRow(row);
  const perUnit = tokensPerUnit(unitOfRow(row));
  if (kind === null || perUnit === null || !row.ConsumedQuantity) return null;
  const count = tokenCount(row.ConsumedQuantity, perUnit);
  return count === null ? null : { kind, count, ...billedRegion(row.RegionId) };
};
