import { commit } from '../../../platform/shared/aws/document.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { isHeldBy } from '../job/job.ts';
import type { ExecutionPlan } from './workDocuments.ts';

/** Stores the progress of an export. Best effort: a concurrent change of the export wins, and the progress is dropped. */
export const reportProgress = async (
  { exports, attempt }: { readonly exports: ExportStore; readonly attempt: () => string },
  { tenant, job }: ExecutionPlan,
  execution: string,
  steps: { readonly done: number; readonly total: number },
): Promise<void> => {
  const current = await exports.find({ tenant_id: tenant.tenant_id, job_id: job.job_id });
  if (current === null || !isHeldBy(current.document, execution)) return;
  const revision = { claim: attempt(), attempt: 1 };
  await commit(exports.change({ ...current.document, steps: { ...steps } }, current.revision, revision));
};
