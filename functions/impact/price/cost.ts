import type { CostExplanation } from '../../../schemas/attribution/explanation.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { BillingMode, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure, LARGEST_FIGURE } from '../usage/largestFigure.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import { hasUsage } from '../usage/usage.ts';
import { billingModeOf } from './billingMode.ts';
import { listCost, type PriceFactors } from './listCost.ts';
import { exceedsEveryCall, plausibleUsd, TOLERANCE } from './plausibleCost.ts';
import { producerCost, toComponent } from './producerCost.ts';

export type { PriceFactors } from './listCost.ts';

/** Bounds of an estimate that no price is known to compare with: those of a price of the family (judgement). */
const UNCOMPARED = { low: '0.5', high: '2' } as const;

const bound = (value: Decimal): string => toDecimalString(capFigure(value));

/** An estimate of a client, with a range that contains what the prices of this service give. */
const comparedWith = (reported: CostExplanation, own: CostExplanation | CostUnknown): CostExplanation => {
  const central = decimal(reported.central);
  const [low, high] =
    typeof own === 'string'
      ? [central.times(UNCOMPARED.low), central.times(UNCOMPARED.high)]
      : [decimal(own.low), decimal(own.high)];
  const { low: _low, central: _central, high: _high, components, ...basis } = reported;
  return {
    ...basis,
    uncertain: ['client_estimate', ...(typeof own === 'string' ? [] : (own.uncertain ?? []))],
    low: bound(low.lt(central) ? low : central),
    central: reported.central,
    high: bound(high.gt(central) ? high : central),
    components,
  };
};

/** A statement that a call with usage was free. Clients report 0 for each model that their price table lacks. */
const isFree = (event: InvocationEvent, { model }: ModelIdentity): boolean =>
  !hasUsage(event) || event.status === 'error' || model.endsWith(':free');

/** What the producer reports against what the prices give. `own` is assessed only if it is needed. */
const reconcile = (
  event: InvocationEvent,
  identity: ModelIdentity,
  reported: CostExplanation,
  own: CostExplanation | CostUnknown,
): CostExplanation | CostUnknown => {
  const isZero = decimal(reported.central).eq('0');
  if (isZero && isFree(event, identity)) return reported;
  const isAgreed = typeof own !== 'string' && own.source === 'contract' && event.cost_source === 'estimate';
  if (!isZero && !isAgreed) return comparedWith(reported, own);
  return typeof own === 'string' ? own : { ...own, reported_usd: reported.central };
};

/**
 * The cost of a call that is not paid by use: none, unless the tenant agreed on a price for such calls. The list price shows
 * what the calls are worth.
 */
const unmeteredCost = (
  billing: BillingMode,
  reported: CostExplanation | null,
  own: CostExplanation | CostUnknown,
): CostExplanation => {
  const stated = { billing_mode: billing, ...(reported !== null && { reported_usd: reported.central }) };
  if (typeof own !== 'string' && own.source === 'contract') return { ...own, ...stated };
  return {
    source: 'unmetered',
    catalogue: typeof own === 'string' ? 'none' : own.catalogue,
    price_match: typeof own === 'string' ? null : own.price_match,
    priced_model: typeof own === 'string' ? null : own.priced_model,
    service_tier_multiplier: null,
    ...stated,
    ...(typeof own !== 'string' && { list_price_usd: own.central }),
    low: '0',
    central: '0',
    high: '0',
    components: [toComponent('total', '0')],
  };
};

/** Which reported amounts are believed. */
export interface CostLimits {
  /** The most that one call of the tenant may be reported to cost, in USD. */
  readonly largestUsd?: string | undefined;
  /** The reported amount that a person has confirmed, in USD. */
  readonly confirmedUsd?: string | undefined;
}

/**
 * The cost of a call in USD, or the reason why it is unknown. A cost that the provider stated takes precedence. One without a
 * known source is an estimate: its range contains the list price. A reported amount that the usage cannot explain, or that is
 * above the limit of the tenant, counts only when a person has confirmed it. Extras outside the event (cache storage, sessions of
 * tools) are not included.
 */
export const assessCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  factors: PriceFactors,
  limits: CostLimits = {},
): CostExplanation | CostUnknown => {
  const reported = producerCost(event);
  const billing = billingModeOf(event);
  const own = () => listCost(event, identity, occurredAt, factors, billing);
  const cost = (): CostExplanation | CostUnknown => {
    if (billing !== 'metered') return unmeteredCost(billing, reported, own());
    if (reported === null) return own();
    const limit = limits.largestUsd === undefined ? null : decimal(limits.largestUsd);
    const isConfirmed = limits.confirmedUsd === reported.central;
    const isStated = event.cost_source === 'provider' || isConfirmed;
    const assessed = isStated ? reported : reconcile(event, identity, reported, own());
    // The cost of a contract does not follow from the amount that was reported.
    if (isConfirmed || typeof assessed === 'string' || assessed.source !== 'producer') return assessed;
    const amount = decimal(reported.central);
    // Below, it has a reason of its own.
    if (amount.gt(LARGEST_FIGURE)) return assessed;
    if ((limit !== null && amount.gt(limit)) || exceedsEveryCall(amount)) return 'implausible_cost';
    if (amount.lte(plausibleUsd(event))) return assessed;
    // Some lists have models with higher prices than all others.
    const listed = own();
    const isListed = typeof listed !== 'string' && amount.lte(decimal(listed.high).times(TOLERANCE));
    return isListed ? assessed : 'implausible_cost';
  };
  const assessed = cost();
  // Each part of a producer's breakdown can fit into a record although their sum does not.
  return typeof assessed !== 'string' && decimal(assessed.central).gt(LARGEST_FIGURE)
    ? 'out_of_range'
    : assessed;
};
