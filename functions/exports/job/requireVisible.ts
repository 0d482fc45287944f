import type { StoredExport } from '../../../schemas/exports.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { isInLane } from '../../tenancy/residency.ts';

/** The export, where there is one that the caller may see. Throws NOT_FOUND, or RESIDENCY_BLOCKED for another lane's. */
export const requireVisible = (
  { residency }: Pick<Caller, 'residency'>,
  job: StoredExport | null,
): StoredExport => {
  if (job === null) throw new ProblemError('NOT_FOUND', 'There is no such job.');
  if (isInLane(job, residency)) return job;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The export shows another lane than the credential is bound to.',
  );
};
