import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { requireReadable } from '../request/exportBasis.ts';

/** Returns the export when the caller may see it. Throws NOT_FOUND, RESIDENCY_BLOCKED when it belongs to
 * another lane, or INSUFFICIENT_SCOPE when it is made from records and the caller lacks `read:attribution`. */
export const requireVisible = (
  { residency, scopes }: Pick<Caller, 'residency' | 'scopes'>,
  job: StoredExport | null,
): StoredExport => {
  if (job === null) throw new ProblemError('NOT_FOUND', 'There is no job with this id.');
  if (isInLane(job.residency, residency)) {
    requireReadable({ scopes }, job.basis);
    return job;
  }
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The export belongs to another residency lane than the credential. Use a credential of that lane.',
  );
};
