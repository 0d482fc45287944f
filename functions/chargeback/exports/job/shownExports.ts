import type { ExportJob, StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { isReadable } from '../request/exportBasis.ts';
import { toResponse } from './job.ts';

/** The exports that the caller may see, of some. It does not see other lanes, or exports made from records. */
export const shownExports = (
  { residency, scopes }: Pick<Caller, 'residency' | 'scopes'>,
  exports: readonly StoredExport[],
  now: number,
): ExportJob[] =>
  exports
    .filter((job) => isInLane(job.residency, residency) && isReadable({ scopes }, job.basis))
    .map((job) => toResponse(job, now));
