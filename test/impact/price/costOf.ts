import { assessCost, type CostLimits } from '../../../functions/impact/price/cost.ts';
import type { PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import { publishedRules } from '../../../functions/impact/price/rules/publishedRules.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { call, MID_JULY, onePrice } from '../calls.ts';

export const FULL: Partial<PriceSheet> = {
  input: '3',
  cached_input: '0.3',
  cache_write: '3.75',
  cache_write_1h: '6',
  output: '15',
};

/** The cost of a call with these members, by one price and the published rules. */
export const costOf = (
  fields: Record<string, unknown>,
  sheet: Partial<PriceSheet> = FULL,
  limits: CostLimits = {},
) => {
  const event = call(fields);
  const identity = modelIdentity(event.provider, event.requested_model);
  return assessCost(event, identity, MID_JULY, { prices: onePrice(sheet), rules: publishedRules }, limits);
};
