import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';
import { fullestReading, unreadUnits } from '../usage/unreadUsage.ts';
import { HIGHEST_TOKEN_PRICE, HIGHEST_UNIT_PRICE } from './plausibleCost.ts';
import { larger, type PricedReading, readingCost, smaller } from './readingCost.ts';

export type { PriceFactors } from './readingCost.ts';

const largest = (...counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** The call if its source counts cached tokens and reasoning beside its counts. Null if the counts are decided. */
const exclusiveReading = (event: InvocationEvent): InvocationEvent | null => {
  const { input_tokens_high: input, output_tokens_high: output, ...decided } = event;
  if ((input ?? output) === undefined) return null;
  return {
    ...decided,
    input_tokens: largest(event.input_tokens, input),
    output_tokens: largest(event.output_tokens, output),
  };
};

/** Adds the published prices of the same quantities to a cost by contract prices. */
const withListPrices = (
  cost: CostExplanation,
  event: InvocationEvent,
  [identity, occurredAt, factors, billing = 'metered']: PricedReading,
): CostExplanation => {
  const { published } = factors;
  if (cost.source !== 'contract' || published === undefined || billing !== 'metered') return cost;
  const listed = readingCost(event, identity, occurredAt, { ...factors, prices: published });
  // The price of another model of the family is a guess.
  if (typeof listed === 'string' || listed.price_match === 'family') return cost;
  const components = cost.components.map((component) => {
    const same = listed.components.find(
      ({ kind, quantity }) => kind === component.kind && quantity === component.quantity,
    );
    const price = same?.unit_price_usd_per_million ?? null;
    return price === null ? component : { ...component, list_unit_price_usd_per_million: price };
  });
  return { ...cost, components };
};

/** USD that what a call used, and an event has no member for, costs at the highest published prices. */
const unreadUsd = (event: InvocationEvent, model: string): Decimal => {
  const { tokens, units } = unreadUnits(event, model);
  return wholeNumber(tokens)
    .times(HIGHEST_TOKEN_PRICE)
    .plus(wholeNumber(units).times(HIGHEST_UNIT_PRICE))
    .times('0.000001');
};

/** The cost by unit prices, over all readings of the counts. */
export const listCost = (event: InvocationEvent, ...call: PricedReading): CostExplanation | CostUnknown => {
  const cost = readingCost(event, ...call);
  const other = exclusiveReading(event);
  const fullest = fullestReading(other ?? event, call[0].model);
  if (typeof cost === 'string') return cost;
  let [low, high] = [decimal(cost.low), decimal(cost.high)];
  for (const reading of [other, fullest]) {
    if (reading === null) continue;
    const read = readingCost(reading, ...call);
    if (typeof read === 'string') return read;
    [low, high] = [smaller(low, decimal(read.low)), larger(high, decimal(read.high))];
  }
  const hasUnread = (event.unread_usage ?? []).length > 0;
  const uncertain: NonNullable<CostExplanation['uncertain']> = [
    ...(cost.uncertain ?? []),
    ...(other === null ? [] : ['counting_convention' as const]),
    ...(hasUnread ? ['unread_usage' as const] : []),
  ];
  return {
    ...withListPrices(cost, event, call),
    ...(uncertain.length > 0 && { uncertain }),
    ...(event.unread_cost !== undefined && { unread_cost: event.unread_cost }),
    low: toDecimalString(low),
    high: toDecimalString(capFigure(high.plus(unreadUsd(event, call[0].model)))),
  };
};
