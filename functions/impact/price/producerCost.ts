import type { CostComponent, CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { decimal, sumOf, toDecimalString } from '../../platform/shared/decimal.ts';

const KINDS = ['input', 'cached_input', 'cache_write', 'output', 'request'] as const;

export const toComponent = (kind: CostComponent['kind'], cost_usd: string): CostComponent => ({
  kind,
  quantity: null,
  unit_price_usd_per_million: null,
  cost_usd,
});

/**
 * The cost that the producer reported, or null. A reported total is used unchanged. If its parts have another sum, the
 * total is the only component, because components always sum to the total.
 */
export const producerCost = (
  event: Pick<InvocationEvent, 'estimated_cost_usd' | 'cost_breakdown'>,
): CostExplanation | null => {
  const parts = KINDS.flatMap((kind): CostComponent[] => {
    const cost = event.cost_breakdown?.[kind];
    if (cost === undefined) return [];
    return [toComponent(kind, toDecimalString(decimal(cost)))];
  });
  if (event.estimated_cost_usd === undefined && parts.length === 0) return null;

  const sum = sumOf(parts.map(({ cost_usd }) => cost_usd));
  const total = event.estimated_cost_usd === undefined ? sum : decimal(event.estimated_cost_usd);
  const central = toDecimalString(total);
  return {
    source: 'producer',
    catalogue: 'producer',
    price_match: null,
    priced_model: null,
    service_tier_multiplier: null,
    low: central,
    central,
    high: central,
    components: parts.length > 0 && sum.eq(total) ? parts : [toComponent('total', central)],
  };
};
