import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';

/** A bill is one for all lanes: whoever is bound to one may neither bring it nor compare with it. */
export const requireAllLanes = ({ residency }: Pick<Caller, 'residency'>): void => {
  if (residency === null) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'Bills know no data-residency lanes: use a credential that is bound to none.',
  );
};
