import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Anomaly } from '../../../../sdk/typescript/src/types.ts';

type Group = readonly [Anomaly, ...Anomaly[]];

/** By how much more, or less, was spent than expected. */
const excessOf = ({ observed_usd: observed, expected_usd: expected }: Anomaly): number =>
  Math.abs(magnitude(observed) - magnitude(expected.central));

const overlap = ({ period: one }: Anomaly, { period: other }: Anomaly): boolean =>
  Date.parse(one.from) < Date.parse(other.to) && Date.parse(other.from) < Date.parse(one.to);

/** The whole tenant, or what the anomaly is about and what drives it. */
const concerns = ({ dimension, value, drivers }: Anomaly, other: Anomaly): boolean =>
  dimension === 'tenant' ||
  (dimension === other.dimension && value === other.value) ||
  drivers.some((driver) => driver.dimension === other.dimension && driver.value === other.value);

const isRelated = (one: Anomaly, other: Anomaly): boolean =>
  one.residency === other.residency && overlap(one, other) && (concerns(one, other) || concerns(other, one));

/**
 * Anomalies that overlap in time, of which one is about what drives another, mostly have one cause: a service that spends more is
 * also seen in its owner, its model and the whole tenant. Groups keep the order of the list. In a group, the largest excess is first.
 */
export const groupsOf = (anomalies: readonly Anomaly[]): readonly Group[] => {
  let groups: readonly Group[] = [];
  for (const anomaly of anomalies) {
    const related = groups.filter((group) => group.some((one) => isRelated(one, anomaly)));
    const [target] = related;
    const merged: Group = [anomaly, ...related.flat()];
    groups =
      target === undefined
        ? [...groups, merged]
        : groups.flatMap((group) => (group === target ? [merged] : related.includes(group) ? [] : [group]));
  }
  return groups.map((group) => {
    const [first = group[0], ...others] = group.toSorted((one, other) => excessOf(other) - excessOf(one));
    return [first, ...others];
  });
};
