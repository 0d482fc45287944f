import { cohortFields } from '../../schemas/reports.ts';
import type { Cohort } from '../cohorts/cohorts.ts';
import { type Filter, matchesFilter, parseFilters } from '../ledger/query/filter.ts';

/** Whether a cohort matches. Null if suppression hides the label that the filter tests. */
const matches = ({ labels }: Cohort, filter: Filter): boolean | null => {
  const field = cohortFields.find((name) => name === filter.field);
  const value = field === undefined ? undefined : labels[field];
  return value === undefined ? null : matchesFilter(filter, value);
};

/**
 * Selects whole cohorts by the labels that they show, so that a filter discloses nothing that the report without it does
 * not. `undetermined` are those in which a tested label is hidden: they may contain calls that match.
 */
export const filterCohorts = (
  cohorts: readonly Cohort[],
  query: object,
): { readonly matching: readonly Cohort[]; readonly undetermined: readonly Cohort[] } => {
  const filters = parseFilters(query);
  if (filters.length === 0) return { matching: cohorts, undetermined: [] };
  const matching: Cohort[] = [];
  const undetermined: Cohort[] = [];
  for (const cohort of cohorts) {
    const results = filters.map((filter) => matches(cohort, filter));
    if (results.includes(false)) continue;
    (results.includes(null) ? undetermined : matching).push(cohort);
  }
  return { matching, undetermined };
};
