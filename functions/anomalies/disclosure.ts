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
 * Whether some of a period's calls may be told of by name: neither they nor the rest, which is what is left when they are
 * taken from the whole, are those of one to four persons.
 */
export const isDisclosable = (named: readonly RollupGroup[], rest: readonly RollupGroup[]): boolean =>
  !isSmall(named) && !isSmall(rest);

/** Tells labels that are a person: without a mapping, the owner of a call is the identity that made it. */
export const personLabelMatcher = (tenantId: string, rollups: readonly Rollup[]) => {
  const persons = new Set(rollups.flatMap(({ groups }) => groups.flatMap(({ figures }) => figures.persons)));
  return (label: string): boolean => persons.has(personHash(sha256Of('person', tenantId, label)));
};
