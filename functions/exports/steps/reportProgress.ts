import { commit } from '../../shared/aws/document.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { isHeldBy } from '../job/job.ts';
import type { ExecutionPlan } from './workDocuments.ts';

/** Tells whoever asks how far an export is. Where somebody else changed it meanwhile, that stands. */
export const reportProgress = async (
  { exports, attempt }: { readonly exports: ExportStore; readonly attempt: () => string },
  { tenant, job }: ExecutionPlan,
  execution: string,
  steps: { readonly done: number; readonly total: number },
): Promise<void> => {
  const found = await exports.find({ tenant_id: tenant.tenant_id, job_id: job.job_id });
  if (found === null || !isHeldBy(found.document, execution)) return;
  const by = { claim: attempt(), attempt: 1 };
  await commit(exports.change({ ...found.document, steps: { ...steps } }, found.revision, by));
};
