import type { CostExplanation } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { Big, type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure, LARGEST_FIGURE } from '../usage/largestFigure.ts';
import { modalityOf } from '../usage/modality.ts';
import { type ModelIdentity, priceRegion } from '../usage/modelIdentity.ts';
import { readUsage } from '../usage/usage.ts';
import { type PricedCall, priceCall } from './priceCall.ts';
import type { PriceSheet, PriceSource } from './priceSheet.ts';
import { producerCost } from './producerCost.ts';
import { tierTerms } from './serviceTier.ts';

export type CostUnknown =
  | 'price_not_found'
  | 'usage_missing'
  | 'usage_inconsistent'
  | 'unsupported_modality'
  | 'out_of_range';

const smaller = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
const larger = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);

/** USD by which the fee of one request can exceed the one charged. */
const feeRange = ({ request, requestHigh }: PriceSheet): Decimal =>
  requestHigh === undefined
    ? Big('0')
    : decimal(requestHigh)
        .minus(request ?? '0')
        .times('0.000001');

/** The cost by unit prices: the prices of the first source that knows the model, times disjoint token counts. */
const listCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  prices: PriceSource,
): CostExplanation | CostUnknown => {
  const usage = readUsage(event);
  if (typeof usage === 'string') return usage;
  const read = usage.uncached + usage.cached + usage.cacheWrite;
  const region = priceRegion(identity, event.region);
  const sheet = prices.find(identity.provider, identity.model, occurredAt, read, region);
  if (sheet === null) return 'price_not_found';
  // Audio and image tokens have separate prices, and an event does not report their number.
  const modality = modalityOf(event.operation, identity.model);
  const mixed = sheet.otherModalities && modality === 'other';
  const perToken = sheet.input !== null || sheet.output !== null;
  if (mixed || (sheet.otherModalities && !perToken)) return 'unsupported_modality';

  const tier = tierTerms(identity.provider, sheet.pricedModel, event);
  // Some lists also contain an output price for embeddings. They generate no tokens, so a missing count is zero.
  const output = usage.output ?? (modality === 'embedding' ? 0 : null);
  const call: PricedCall | CostUnknown = priceCall(sheet, { ...usage, output }, tier);
  if (typeof call === 'string') return call;
  const lowest = call.low.times(tier.low).times(sheet.tokenFactors?.low ?? '1');
  const highest = call.high
    .times(tier.high)
    .times(sheet.tokenFactors?.high ?? '1')
    .plus(feeRange(sheet));
  return {
    source: sheet.source,
    catalogue: sheet.catalogue,
    price_match: sheet.match,
    priced_model: sheet.pricedModel,
    service_tier_multiplier: tier.stated,
    low: toDecimalString(larger(Big('0'), smaller(lowest, call.central))),
    central: toDecimalString(call.central),
    high: toDecimalString(capFigure(larger(highest, call.central))),
    components: call.components,
  };
};

/**
 * The cost of a call in USD, or the reason why it is unknown. A cost reported by the producer takes precedence, also if it
 * is zero. Server-side extras outside the event (web searches, cache storage) are not included.
 */
export const assessCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  prices: PriceSource,
): CostExplanation | CostUnknown => {
  const cost = producerCost(event) ?? listCost(event, identity, occurredAt, prices);
  // Each part of a producer's breakdown can fit into a record although their sum does not.
  return typeof cost !== 'string' && decimal(cost.central).gt(LARGEST_FIGURE) ? 'out_of_range' : cost;
};
