import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { BillingMode, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure, LARGEST_FIGURE } from '../usage/largestFigure.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import { TOLERANCE } from '../usage/plausibleUsage.ts';
import { hasUsage } from '../usage/usage.ts';
import { billingModeOf } from './billingMode.ts';
import { listCost, type PriceFactors } from './listCost.ts';
import { exceedsEveryCall, plausibleUsd } from './plausibleCost.ts';
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

/** Which costs are believed. */
export interface CostLimits {
  /** The most that one call of the tenant may cost, in USD. */
  readonly largestUsd?: string | undefined;
  /** The cost that a person has confirmed, in USD. */
  readonly confirmedUsd?: string | undefined;
}

/** What sets the cost of a call. */
type CostedCall = [
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  factors: PriceFactors,
  limits?: CostLimits,
];

/** The cost of a call whose event is believed: amount and usage. */
const claimedCost = (...[event, identity, occurredAt, factors, limits]: CostedCall) => {
  const reported = producerCost(event);
  const billing = billingModeOf(event);
  const own = () => listCost(event, identity, occurredAt, factors, billing);
  if (billing !== 'metered') return unmeteredCost(billing, reported, own());
  if (reported === null) return own();
  const isStated = event.cost_source === 'provider' || limits?.confirmedUsd === reported.central;
  return isStated ? reported : reconcile(event, identity, reported, own());
};

/** Whether the usage of a call explains its cost, and the cost is not above the limit of the tenant or of every call. */
const isPlausible = (
  cost: CostExplanation,
  ...[event, identity, occurredAt, factors, limits]: CostedCall
) => {
  const amount = decimal(cost.central);
  const limit = limits?.largestUsd;
  if ((limit !== undefined && amount.gt(decimal(limit))) || exceedsEveryCall(amount)) return false;
  // The usage sets all other costs.
  if (cost.source !== 'producer' || amount.lte(plausibleUsd(event))) return true;
  // Some lists have models with higher prices than all others.
  const listed = listCost(event, identity, occurredAt, factors);
  return typeof listed !== 'string' && amount.lte(decimal(listed.high).times(TOLERANCE));
};

/**
 * The cost of a call in USD, or the reason why it is unknown. A cost that the provider stated takes precedence. One without a
 * known source is an estimate: its range contains the list price. A reported amount that the usage cannot explain, and any cost
 * above that of the longest call or the limit of the tenant, counts only when a person has confirmed it: whoever invents usage
 * invents its price. Extras outside the event (cache storage, sessions of tools) are not included.
 */
export const assessCost = (...call: CostedCall): CostExplanation | CostUnknown => {
  const cost = claimedCost(...call);
  if (typeof cost === 'string') return cost;
  // Each part of a producer's breakdown can fit into a record although their sum does not.
  if (decimal(cost.central).gt(LARGEST_FIGURE)) return 'out_of_range';
  const [, , , , limits] = call;
  return limits?.confirmedUsd === cost.central || isPlausible(cost, ...call) ? cost : 'implausible_cost';
};

/** The cost that a call has as soon as a person confirms it: an amount as it was reported, or the price of its usage. */
export const costToConfirm = (...call: CostedCall): CostExplanation | null => {
  const cost = claimedCost(...call);
  if (typeof cost === 'string') return null;
  return cost.source === 'producer' ? producerCost(call[0]) : cost;
};
