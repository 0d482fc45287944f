import type { Driver } from '../../schemas/anomalies.ts';
import type { RollupGroup } from '../../schemas/rollup.ts';
import { addDecimals } from '../rollups/figures.ts';
import { type Decimal, decimal } from '../shared/decimal.ts';
import { isDisclosable } from './disclosure.ts';
import type { Entity } from './entity.ts';
import { median } from './expectation.ts';

const DIMENSIONS = ['service', 'owner', 'provider', 'served_model'] as const;
const SHARE_MINIMUM = 0.2;
const DRIVERS_MAXIMUM = 8;
/** Shares are told in steps of a twentieth: what they explain can be seen, and no amount be worked out. */
const STEPS = 20;

type Groups = readonly RollupGroup[];

export const costOf = (groups: Groups): string =>
  groups.reduce((total, { figures }) => addDecimals(total, figures.cost_usd.central), '0');

/** What happened in a period, and in each of those most like it: the calls of one entity. */
export interface BaselineComparison {
  readonly groups: Groups;
  readonly baseline: readonly Groups[];
}

/** What some of a scene's calls cost more than such calls do in the middle of the periods like it. */
export const excessIn = (
  { groups, baseline }: BaselineComparison,
  matches: (group: RollupGroup) => boolean,
): Decimal =>
  decimal(costOf(groups.filter(matches))).minus(
    median(baseline.map((period) => decimal(costOf(period.filter(matches))))),
  );

/** What the excess of an entity came from, by each value of each other dimension; nobody of one to four persons. */
export const driversOf = (
  { dimension: own }: Pick<Entity, 'dimension'>,
  comparison: BaselineComparison,
  excess: Decimal,
  isPerson: (label: string) => boolean,
): Driver[] => {
  const drivers = DIMENSIONS.filter((dimension) => dimension !== own).flatMap((dimension) =>
    [...Map.groupBy(comparison.groups, ({ dimensions }) => dimensions[dimension])].flatMap(
      ([value, groups]): Driver[] => {
        if (value === null || isPerson(value)) return [];
        const isOther = (group: RollupGroup): boolean => group.dimensions[dimension] !== value;
        if (!isDisclosable(groups, comparison.groups.filter(isOther))) return [];
        const part = excessIn(comparison, (group) => !isOther(group)).div(excess);
        const share = Math.min(1, Math.round(STEPS * Number(part.toString())) / STEPS);
        return share < SHARE_MINIMUM ? [] : [{ dimension, value, share }];
      },
    ),
  );
  return drivers.sort((one, other) => other.share - one.share).slice(0, DRIVERS_MAXIMUM);
};
