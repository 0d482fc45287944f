import type { CostExplanation } from '../../../schemas/explanation.ts';
import type { InvocationEvent } from '../../../schemas/invocationEvent.ts';
import { Big, type Decimal, toDecimalString } from '../../shared/decimal.ts';
import { type PricedCall, priceCall } from './callPrice.ts';
import { modalityOf } from './modality.ts';
import type { ModelIdentity } from './modelIdentity.ts';
import type { PriceSource } from './priceSheet.ts';
import { producerCost } from './producerCost.ts';
import { tierTerms } from './serviceTier.ts';
import { readUsage } from './usage.ts';

export type CostUnknown = 'price_not_found' | 'usage_missing' | 'usage_inconsistent' | 'unsupported_modality';

const smaller = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
const larger = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);

/**
 * What a call cost in USD, or why that is not known. The producer's own figure wins, a stated zero included;
 * otherwise unit prices of the first source that knows the model, times disjoint token counts.
 * Server-side extras outside the event (web searches, cache storage) are not in the sum.
 */
export const assessCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  prices: PriceSource,
): CostExplanation | CostUnknown => {
  const stated = producerCost(event);
  if (stated !== null) return stated;

  const usage = readUsage(event);
  if (typeof usage === 'string') return usage;
  const read = usage.uncached + usage.cached + usage.cacheWrite;
  const sheet = prices.find(identity.provider, identity.model, occurredAt, read);
  if (sheet === null) return 'price_not_found';
  // Audio and image tokens have prices of their own, and an event does not say how many of its tokens they are.
  const mixed = sheet.otherModalities && modalityOf(event.operation, identity.model) === 'other';
  const perToken = sheet.input !== null || sheet.output !== null;
  if (mixed || (sheet.otherModalities && !perToken)) return 'unsupported_modality';

  const tier = tierTerms(identity.provider, sheet.pricedModel, event);
  const call: PricedCall | CostUnknown = priceCall(sheet, usage, tier);
  if (typeof call === 'string') return call;
  return {
    source: sheet.source,
    catalogue: sheet.catalogue,
    price_match: sheet.match,
    priced_model: sheet.pricedModel,
    service_tier_multiplier: tier.stated,
    low: toDecimalString(larger(Big('0'), smaller(call.low.times(tier.low), call.central))),
    central: toDecimalString(call.central),
    high: toDecimalString(larger(call.high.times(tier.high), call.central)),
    components: call.components,
  };
};
