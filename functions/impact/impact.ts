import type { CostExplanation } from '../../schemas/attribution/costExplanation.ts';
import type { CarbonExplanation, EnergyExplanation } from '../../schemas/attribution/explanation.ts';
import type { SetAsideFootprint, WaterExplanation } from '../../schemas/attribution/footprintExplanation.ts';
import type { CostUnknown } from '../../schemas/attribution/unknownCost.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { assessCarbon, type CarbonUnknown } from './footprint/carbon.ts';
import { assessEnergy, type EnergyUnknown, modelCall } from './footprint/energy.ts';
import { gridOf } from './footprint/grid.ts';
import { nodeEnergy } from './footprint/nodeEnergy.ts';
import { believedFootprint } from './footprint/plausibleFootprint.ts';
import { assessWater } from './footprint/water.ts';
import { assessCost, costToConfirm, type PriceFactors } from './price/cost.ts';
import { type FindPool, pooledCost } from './price/nodePools.ts';
import { type ModelIdentity, modelIdentity } from './usage/modelIdentity.ts';
import { type MovingAliases, modelAt } from './usage/movingAliases.ts';

/**
 * Version of the rules and tables that have no separate version: spellings, matches, names of tiers, fallback prices of
 * token kinds, locations and their data centres, ranges. Change it whenever a result changes.
 */
export const IMPACT_RULES_VERSION = 'impact-rules-2026.11-20';

/** All inputs of an assessment except the event. Two loads with the same `version` give the same results. */
export interface Factors extends PriceFactors {
  readonly version: string;
  readonly aliases: MovingAliases;
  /** The limit of the tenant for the cost of one call, in USD. */
  readonly largestCostUsd?: string | undefined;
  /** The own nodes of the tenant. */
  readonly findPool?: FindPool | undefined;
}

/** What is known of the cost of a call besides its event. */
export interface KnownCost {
  /** The cost that a person has confirmed, in USD. */
  readonly confirmedUsd?: string | undefined;
  /** The cost that the record has, which may be a share of a node hour. */
  readonly divided?: CostExplanation | null | undefined;
}

/** Cost, energy and carbon of one call. A figure is null only with a reason in `unknown`; zero is a known figure. */
export interface Impact {
  readonly cost: CostExplanation | null;
  readonly energy: EnergyExplanation | null;
  readonly carbon: CarbonExplanation | null;
  /** Null where it is unknown, which has no reason of its own. */
  readonly water: WaterExplanation | null;
  readonly unknown: {
    readonly cost?: CostUnknown;
    readonly energy?: EnergyUnknown;
    readonly carbon?: CarbonUnknown;
  };
  /** The cost that is set aside until a person confirms it. Absent if there is none. */
  readonly toConfirm?: CostExplanation;
  /** Reported energy and carbon that are not believed. Absent if there are none. */
  readonly setAside?: SetAsideFootprint;
}

/** Energy, carbon and water of a call, or why they are unknown. */
export type Footprint = {
  readonly energy: EnergyExplanation | EnergyUnknown;
  readonly carbon: CarbonExplanation | CarbonUnknown;
  readonly water: WaterExplanation | null;
  readonly setAside?: SetAsideFootprint;
};

const known = <Figure>(figure: Figure | string): Figure | null =>
  typeof figure === 'string' ? null : figure;

/**
 * The footprint of a call with a cost. Measured energy takes precedence: of the call, then of the own nodes that it ran on.
 * `model`: what its id named at that time.
 */
export const assessFootprint = (
  reported: InvocationEvent,
  identity: ModelIdentity,
  model: string,
  cost: CostExplanation | CostUnknown,
): Footprint => {
  const { event, setAside } = believedFootprint(reported);
  const call = modelCall(event, { ...identity, model });
  const share = typeof cost === 'string' ? undefined : cost.node_hours;
  const ofNodes = share === undefined || event.energy_wh !== undefined ? null : nodeEnergy(share);
  const energy = ofNodes ?? assessEnergy(event, call);
  return {
    energy,
    carbon: assessCarbon(event, identity, known(energy), known(call)),
    water: assessWater(identity, known(energy), gridOf(identity, event.region, event.inference_region)),
    ...(setAside !== undefined && { setAside }),
  };
};

/** What a call costs, beside no other record. */
export const assessCallCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  factors: Factors,
  { confirmedUsd, divided = null }: KnownCost = {},
): CostExplanation | CostUnknown => {
  const pool = factors.findPool?.(event, occurredAt.getTime()) ?? null;
  return pool === null
    ? assessCost(event, identity, occurredAt, factors, { largestUsd: factors.largestCostUsd, confirmedUsd })
    : pooledCost(event, identity, pool, occurredAt.getTime(), divided);
};

/**
 * Assesses one call. Pure: the same event and factors give the same bytes, so a record can be replayed.
 * The served model counts, not the requested one. Measured or billed values of the producer take precedence over estimates.
 */
export const assessImpact = (
  event: InvocationEvent,
  occurredAt: Date,
  factors: Factors,
  knownCost: KnownCost = {},
): Impact => {
  const identity = modelIdentity(event.provider, event.served_model ?? event.requested_model);
  // The energy is that of the model, whatever its name was.
  const model = modelAt(factors.aliases, identity.provider, identity.model, occurredAt);

  const cost = assessCallCost(event, identity, occurredAt, factors, knownCost);
  const { energy, carbon, water, setAside } = assessFootprint(event, identity, model, cost);
  const toConfirm = cost === 'implausible_cost' ? costToConfirm(event, identity, occurredAt, factors) : null;
  return {
    cost: known(cost),
    energy: known(energy),
    carbon: known(carbon),
    water,
    unknown: {
      ...(typeof cost === 'string' && { cost }),
      ...(typeof energy === 'string' && { energy }),
      ...(typeof carbon === 'string' && { carbon }),
    },
    ...(toConfirm !== null && { toConfirm }),
    ...(setAside !== undefined && { setAside }),
  };
};
