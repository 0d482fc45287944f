import { labelNames } from '../../../ledger/cohorts/cell.ts';
import type { CohortIndex, ShownCohort } from '../../../ledger/cohorts/cohortIndex.ts';

type Shown = ShownCohort['labels'];
const HIDDEN = 0;

/** What a cohort shows, one label after the other in the order in which suppression divides calls. */
function* stepsOf(labels: Shown): Generator<{ readonly name: keyof Shown; readonly path: string }, void> {
  const path: unknown[] = [];
  for (const name of [...labelNames, ...tagNamesOf(labels)]) {
    path.push(name, labels[name] === undefined ? HIDDEN : labels[name]);
    yield { name, path: JSON.stringify(path) };
  }
}

const tagNamesOf = (labels: Shown): (keyof Shown)[] =>
  Object.keys(labels)
    .filter((name): name is `tag:${string}` => name.startsWith('tag:'))
    .sort();

/**
 * Returns a function that leaves out the labels of a cohort that the cohorts of another state of the month do not show in the
 * same way. A correction has only names for which both states have a sum, so it tells nothing that these do not.
 */
export const sharedLabels = (other: CohortIndex): ((cohort: ShownCohort | null) => ShownCohort | null) => {
  const paths = new Set<string>();
  for (const places of other.values())
    for (const { cohort } of places)
      if (cohort !== null) for (const { path } of stepsOf(cohort.labels)) paths.add(path);
  return (cohort) => {
    if (cohort === null) return null;
    const labels: Shown = {};
    for (const { name, path } of stepsOf(cohort.labels)) {
      if (!paths.has(path)) break;
      if (cohort.labels[name] !== undefined) labels[name] = cohort.labels[name];
    }
    return { ...cohort, labels };
  };
};
