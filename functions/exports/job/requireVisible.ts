import type { StoredExport } from '../../../schemas/exports.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { isInLane } from '../../tenancy/residency.ts';

/** Returns the export when the caller may see it. Throws NOT_FOUND, or RESIDENCY_BLOCKED when it belongs to another lane. */
export const requireVisible = (
  { residency }: Pick<Caller, 'residency'>,
  job: StoredExport | null,
): StoredExport => {
  if (job === null) throw new ProblemError('NOT_FOUND', 'There is no job with this id.');
  if (isInLane(job, residency)) return job;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The export belongs to another residency lane than the credential. Use a credential of that lane.',
  );
};
