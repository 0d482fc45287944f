import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import type { Row } from './reportRows.ts';

/** The cohorts of a report that match its filters, and those of which suppression hides whether they do. */
export interface SelectedCohorts {
  readonly matching: readonly Cohort[];
  readonly undetermined: readonly Cohort[];
}

/**
 * The cohorts that may hold calls of the group of a row, because suppression hides a label that would tell. So the amounts
 * of the row are the least of its group, and those with these cohorts the greatest. A group without a row is not known to be zero.
 */
export const possibleCallsOf = (
  { kind, values }: Pick<Row, 'kind' | 'values'>,
  { matching, undetermined }: SelectedCohorts,
): Cohort[] => {
  if (kind !== 'group') return [];
  const fields = Object.entries(values);
  /** Whether a cohort may be of the group. Null if it is. */
  const mayBeOf = ({ labels }: Cohort): boolean | null => {
    const shown = new Map<string, string | null | undefined>(Object.entries(labels));
    const known = fields.filter(([field]) => shown.get(field) !== undefined);
    if (known.some(([field, value]) => shown.get(field) !== value)) return false;
    return known.length < fields.length ? true : null;
  };
  return [
    ...matching.filter((cohort) => mayBeOf(cohort) === true),
    ...undetermined.filter((cohort) => mayBeOf(cohort) !== false),
  ];
};
