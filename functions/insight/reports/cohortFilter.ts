import { cohortFields } from '../../../schemas/insight/reports.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { matchesFilter, parseFilters } from '../../ledger/records/query/filter.ts';

/** Whether the labels of a cohort match. Null if suppression hides the label that is tested. */
type Test = (labels: Cohort['labels']) => boolean | null;

/** A test of each tag of the query. A cohort must carry all of them. */
const tagTests = (tags: readonly string[]): Test[] =>
  tags.map((tag) => {
    const separator = tag.indexOf(':');
    const [key, wanted] = [tag.slice(0, separator), tag.slice(separator + 1)];
    return (labels) => {
      const value = labels[`tag:${key}`];
      return value === undefined ? null : value === wanted;
    };
  });

const labelTests = (query: object): Test[] =>
  parseFilters(query, cohortFields).map((filter) => (labels) => {
    const value = labels[filter.field];
    return value === undefined ? null : matchesFilter(filter, value);
  });

/**
 * Selects whole cohorts by the labels that they show, so that a filter discloses nothing that the report without it does
 * not. `undetermined` are those in which a tested label is hidden: they may contain calls that match.
 */
export const filterCohorts = (
  cohorts: readonly Cohort[],
  query: { readonly tags?: readonly string[] | undefined },
): { readonly matching: readonly Cohort[]; readonly undetermined: readonly Cohort[] } => {
  const tests = [...labelTests(query), ...tagTests(query.tags ?? [])];
  if (tests.length === 0) return { matching: cohorts, undetermined: [] };
  const matching: Cohort[] = [];
  const undetermined: Cohort[] = [];
  for (const cohort of cohorts) {
    const results = tests.map((test) => test(cohort.labels));
    if (results.includes(false)) continue;
    (results.includes(null) ? undetermined : matching).push(cohort);
  }
  return { matching, undetermined };
};
