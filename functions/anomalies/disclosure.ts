import { COHORT_MINIMUM } from '../../schemas/reports.ts';
import type { Rollup, RollupGroup } from '../../schemas/rollup.ts';
import { personCount, personHash } from '../rollups/figures.ts';
import { totalOf } from '../rollups/rollup.ts';
import { sha256Of } from '../shared/hash.ts';

const isSmall = (groups: readonly RollupGroup[]): boolean => {
  const { count } = personCount(totalOf(groups));
  return count > 0 && count < COHORT_MINIMUM;
};

/**
 * Whether a group of calls may be named (k-anonymity). Neither the group nor the rest of the calls may belong to one to
 * four persons, because the rest can be computed by subtracting the group from the total.
 */
export const isDisclosable = (named: readonly RollupGroup[], rest: readonly RollupGroup[]): boolean =>
  !isSmall(named) && !isSmall(rest);

/** Returns a test whether a label is a person. Without a mapping, the owner of a call is the identity that made it. */
export const personLabelMatcher = (tenantId: string, rollups: readonly Rollup[]) => {
  const persons = new Set(rollups.flatMap(({ groups }) => groups.flatMap(({ figures }) => figures.persons)));
  return (label: string): boolean => persons.has(personHash(sha256Of('person', tenantId, label)));
};
