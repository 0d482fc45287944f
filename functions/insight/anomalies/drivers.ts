import type { Driver } from '../../../schemas/insight/anomalies.ts';
import { type Decimal, decimal, sumDecimals } from '../../platform/shared/decimal.ts';
import type { CostGroup } from './costPeriods.ts';
import type { Entity } from './entity.ts';
import { median } from './expectation.ts';

const DIMENSIONS = ['service', 'owner', 'provider', 'served_model'] as const;
const SHARE_MINIMUM = 0.2;
const DRIVERS_MAXIMUM = 8;
/** Shares are rounded to steps of 1/20, which is precise enough to explain an excess and too coarse to derive amounts. */
const STEPS = 20;

type Groups = readonly CostGroup[];

export const costOf = (groups: Groups): string =>
  sumDecimals(groups.map(({ figures }) => figures.cost_usd.central));

/** The calls of one entity in a period, and in each of its most similar baseline periods. */
export interface BaselineComparison {
  readonly groups: Groups;
  readonly baseline: readonly Groups[];
}

/** The cost of the matching calls above the median cost of matching calls in the baseline periods, in USD. */
export const excessIn = (
  { groups, baseline }: BaselineComparison,
  matches: (group: CostGroup) => boolean,
): Decimal =>
  decimal(costOf(groups.filter(matches))).minus(
    median(baseline.map((period) => decimal(costOf(period.filter(matches))))),
  );

/**
 * The values of other dimensions that most of an entity's excess came from, largest share first.
 */
export const driversOf = (
  { dimension: entityDimension }: Pick<Entity, 'dimension'>,
  comparison: BaselineComparison,
  excess: Decimal,
): Driver[] => {
  const drivers = DIMENSIONS.filter((dimension) => dimension !== entityDimension).flatMap((dimension) =>
    [...Map.groupBy(comparison.groups, ({ dimensions }) => dimensions[dimension])].flatMap(
      ([value]): Driver[] => {
        if (value === null) return [];
        const part = excessIn(comparison, (group) => group.dimensions[dimension] === value).div(excess);
        const share = Math.min(1, Math.round(STEPS * Number(part.toString())) / STEPS);
        return share < SHARE_MINIMUM ? [] : [{ dimension, value, share }];
      },
    ),
  );
  return drivers.sort((one, other) => other.share - one.share).slice(0, DRIVERS_MAXIMUM);
};
