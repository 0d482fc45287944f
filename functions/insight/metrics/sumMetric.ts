import type { MetricCost } from '../../../schemas/insight/metricCosts.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import { type Decimal, decimal, sumOf, toDecimalString } from '../../platform/shared/decimal.ts';

const costOf = (cohorts: readonly Cohort[]) => {
  const { invocations, cost_usd } = figuresOf(cohorts, (all) => ({ ...all, persons: [] }));
  return { invocations, ...cost_usd };
};

/**
 * What a unit costs: the known cost of calls divided by the sum of numbers, those of the same days. `possible` are hidden
 * calls that may be of the owner or service, so the high end has them too. Calls of unknown cost make it unknown.
 */
export const sumMetric = (
  numbers: readonly string[],
  shown: readonly Cohort[],
  possible: readonly Cohort[],
): Omit<MetricCost, 'metric_id' | 'name' | 'owner' | 'service' | 'days' | 'days_without_number'> => {
  const [known, hidden] = [costOf(shown), costOf(possible)];
  const units = sumOf(numbers);
  // Shown or hidden calls, none of which has a known price among the shown ones.
  const isUnknown =
    numbers.length === 0 ||
    (known.invocations === 0 ? hidden.invocations > 0 : known.unknown === known.invocations);
  const perUnit = (cost: Decimal): string => toDecimalString(cost.div(units));
  const hasUnits = !isUnknown && units.gt('0');
  const isBounded = known.unknown === 0 && hidden.unknown === 0;
  return {
    units: numbers.length === 0 ? null : toDecimalString(units),
    invocations: known.invocations,
    invocations_maximum: known.invocations + hidden.invocations,
    unpriced_invocations: known.unknown,
    cost_usd: isUnknown ? null : known.central,
    cost_per_unit_usd: hasUnits ? perUnit(decimal(known.central)) : null,
    cost_per_unit_range_usd: hasUnits
      ? {
          low: perUnit(decimal(known.low)),
          high: isBounded ? perUnit(decimal(known.high).plus(hidden.high)) : null,
        }
      : null,
  };
};
