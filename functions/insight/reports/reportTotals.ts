import { Interpretation, OutputState } from '../../../schemas/attribution/attributionRecord.ts';
import type { AdoptionTotals } from '../../../schemas/insight/adoption.ts';
import {
  COHORT_MINIMUM,
  type InvocationTotals,
  MIXED,
  type PreviousTotals,
  type UsageTotals,
} from '../../../schemas/insight/reports.ts';
import type { Figures, Quantity } from '../../../schemas/ledger/rollup.ts';
import { answerStateOf } from '../../ledger/cohorts/answerState.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import {
  addToModel,
  jointEstimateRange,
  jointPriceRange,
  type SumByModel,
  UNKNOWN_ESTIMATE,
  UNKNOWN_SPREAD,
} from '../../ledger/cohorts/jointRange.ts';
import { noFigures, personCount } from '../../ledger/rollups/figures.ts';
import { addDecimals } from '../../platform/shared/decimal.ts';

const isAllUnknown = ({ unknown }: Quantity, invocations: number): boolean =>
  invocations > 0 && unknown === invocations;

export const nullWhenUnknown = (quantity: Quantity, invocations: number) => {
  const { low, central, high } = quantity;
  return isAllUnknown(quantity, invocations)
    ? { low: null, central: null, high: null }
    : { low, central, high };
};

const NO_INVOCATIONS: InvocationTotals = { invocations: 0, cost_usd: '0', unpriced_invocations: 0 };

/** Invocations and cost by a state of cohorts. Every value covers whole cohorts, so never too few persons. */
const totalsBy = <Name extends string>(
  cohorts: readonly Cohort[],
  nameOf: (cohort: Cohort) => Name,
): Partial<Record<Name, InvocationTotals>> => {
  const totals: Partial<Record<Name, InvocationTotals>> = {};
  for (const cohort of cohorts) {
    const name = nameOf(cohort);
    let { invocations, cost_usd, unpriced_invocations } = totals[name] ?? NO_INVOCATIONS;
    for (const { figures } of cohort.parts) {
      invocations += figures.invocations;
      cost_usd = addDecimals(cost_usd, figures.cost_usd.central);
      unpriced_invocations += figures.cost_usd.unknown;
    }
    totals[name] = { invocations, cost_usd, unpriced_invocations };
  }
  return totals;
};

const totalsByLabel = <Name extends string>(
  cohorts: readonly Cohort[],
  label: 'output_state' | 'confidence_band',
  names: readonly Name[],
) => totalsBy(cohorts, ({ labels }) => names.find((name) => name === labels[label]) ?? MIXED);

/** Invocations and cost by the state of the owner. */
export const totalsByOwnerState = (cohorts: readonly Cohort[]): UsageTotals['owner_states'] =>
  totalsBy(cohorts, (cohort) => answerStateOf(cohort, 'owner'));

/**
 * The joint ranges of cohorts. They follow from sums of whole cohorts by the model that a cohort shows, so they tell
 * nothing about the models within a cohort.
 */
const jointRangesOf = (
  cohorts: readonly Cohort[],
  isUnknown: (quantity: Quantity) => boolean,
  total: Figures,
) => {
  const rangeOf = <Range>(
    quantity: 'cost_usd' | 'energy_wh' | 'carbon_gco2e',
    range: (sums: SumByModel) => Range,
    unknown: Range,
  ): Range => {
    if (isUnknown(total[quantity])) return unknown;
    const sums = new Map<string | null, Quantity>();
    for (const { labels, parts } of cohorts) {
      for (const { figures } of parts) addToModel(sums, labels.served_model ?? null, figures[quantity]);
    }
    return range(sums);
  };
  return {
    cost_usd: rangeOf('cost_usd', jointPriceRange, UNKNOWN_SPREAD),
    energy_wh: rangeOf('energy_wh', jointEstimateRange, UNKNOWN_ESTIMATE),
    carbon_gco2e: rangeOf('carbon_gco2e', jointEstimateRange, UNKNOWN_ESTIMATE),
  };
};

/** The sums of the usage report over cohorts. */
export const sumUsage = (cohorts: readonly Cohort[], suppressed_groups: number): UsageTotals => {
  const figures = figuresOf(cohorts, (all) => ({ ...all, persons: [] }));
  const { invocations, cost_usd, energy_wh, carbon_gco2e } = figures;
  const cost = nullWhenUnknown(cost_usd, invocations);
  const energy = nullWhenUnknown(energy_wh, invocations);
  const carbon = nullWhenUnknown(carbon_gco2e, invocations);
  return {
    invocations,
    cost_usd: cost.central,
    cost_usd_low: cost.low,
    cost_usd_high: cost.high,
    energy_wh: energy.central,
    energy_wh_low: energy.low,
    energy_wh_high: energy.high,
    carbon_gco2e: carbon.central,
    carbon_gco2e_low: carbon.low,
    carbon_gco2e_high: carbon.high,
    joint_ranges: jointRangesOf(cohorts, (quantity) => isAllUnknown(quantity, invocations), figures),
    input_tokens: figures.input_tokens,
    cached_input_tokens: figures.cached_input_tokens,
    cache_write_tokens: figures.cache_write_tokens,
    output_tokens: figures.output_tokens,
    reasoning_tokens: figures.reasoning_tokens,
    unpriced_invocations: cost_usd.unknown,
    unknown_energy_invocations: energy_wh.unknown,
    unknown_carbon_invocations: carbon_gco2e.unknown,
    output_states: totalsByLabel(cohorts, 'output_state', OutputState.options),
    confidence_bands: totalsByLabel(cohorts, 'confidence_band', Interpretation.shape.confidence_band.options),
    owner_states: totalsByOwnerState(cohorts),
    service_states: totalsBy(cohorts, (cohort) => answerStateOf(cohort, 'service')),
    suppressed_groups,
  };
};

/** The sums of cohorts of the period before. */
export const sumPrevious = (cohorts: readonly Cohort[]): PreviousTotals => {
  const { invocations, cost_usd, energy_wh, carbon_gco2e } = figuresOf(cohorts, (all) => ({
    ...all,
    persons: [],
  }));
  return {
    invocations,
    cost_usd: nullWhenUnknown(cost_usd, invocations).central,
    energy_wh: nullWhenUnknown(energy_wh, invocations).central,
    carbon_gco2e: nullWhenUnknown(carbon_gco2e, invocations).central,
    unpriced_invocations: cost_usd.unknown,
    unknown_energy_invocations: energy_wh.unknown,
    unknown_carbon_invocations: carbon_gco2e.unknown,
  };
};

/** The sums of the adoption report over cohorts. The person count is rounded down to a multiple of `COHORT_MINIMUM`. */
export const sumAdoption = (cohorts: readonly Cohort[], suppressed_groups: number): AdoptionTotals => {
  const figures = figuresOf(cohorts, ({ invocations, persons }) => ({ ...noFigures, invocations, persons }));
  const { count, exact } = personCount(figures);
  return {
    persons: Math.floor(count / COHORT_MINIMUM) * COHORT_MINIMUM,
    persons_estimated: !exact,
    invocations: figures.invocations,
    suppressed_groups,
  };
};
