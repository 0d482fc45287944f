import type { CostExplanation } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { Big, type Decimal, decimal, toDecimalString } from '../../shared/decimal.ts';
import { capFigure, LARGEST_FIGURE } from '../largestFigure.ts';
import { modalityOf } from '../modality.ts';
import type { ModelIdentity } from '../modelIdentity.ts';
import { readUsage } from '../usage.ts';
import { type PricedCall, priceCall } from './priceCall.ts';
import type { PriceSource } from './priceSheet.ts';
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

/** The cost by unit prices: those of the first source that knows the model, times disjoint token counts. */
const listCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  prices: PriceSource,
): CostExplanation | CostUnknown => {
  const usage = readUsage(event);
  if (typeof usage === 'string') return usage;
  const read = usage.uncached + usage.cached + usage.cacheWrite;
  const sheet = prices.find(identity.provider, identity.model, occurredAt, read);
  if (sheet === null) return 'price_not_found';
  // Audio and image tokens have prices of their own, and an event does not say how many of its tokens they are.
  const modality = modalityOf(event.operation, identity.model);
  const mixed = sheet.otherModalities && modality === 'other';
  const perToken = sheet.input !== null || sheet.output !== null;
  if (mixed || (sheet.otherModalities && !perToken)) return 'unsupported_modality';

  const tier = tierTerms(identity.provider, sheet.pricedModel, event);
  // Some lists give embeddings an output price too; they generate nothing, so for them silence is zero.
  const output = usage.output ?? (modality === 'embedding' ? 0 : null);
  const call: PricedCall | CostUnknown = priceCall(sheet, { ...usage, output }, tier);
  if (typeof call === 'string') return call;
  return {
    source: sheet.source,
    catalogue: sheet.catalogue,
    price_match: sheet.match,
    priced_model: sheet.pricedModel,
    service_tier_multiplier: tier.stated,
    low: toDecimalString(larger(Big('0'), smaller(call.low.times(tier.low), call.central))),
    central: toDecimalString(call.central),
    high: toDecimalString(capFigure(larger(call.high.times(tier.high), call.central))),
    components: call.components,
  };
};

/**
 * What a call cost in USD, or why that is not known. The producer's own figure wins, a stated zero included.
 * Server-side extras outside the event (web searches, cache storage) are not in the sum.
 */
export const assessCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  prices: PriceSource,
): CostExplanation | CostUnknown => {
  const cost = producerCost(event) ?? listCost(event, identity, occurredAt, prices);
  // Parts of a producer's breakdown may each fit into a record, and their sum not.
  return typeof cost !== 'string' && decimal(cost.central).gt(LARGEST_FIGURE) ? 'out_of_range' : cost;
};
