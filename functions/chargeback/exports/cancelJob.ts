import type { StoredExport } from '../../../schemas/exports.ts';
import { cancelJob } from '../../../schemas/routes/chargeback/exports.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { markCancelled, toResponse } from './job/job.ts';
import { requireVisible } from './job/requireVisible.ts';

export default operation(cancelJob, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const job_id = idOf('job', tenant.tag, parameters['job_id'] ?? '');
  let result: StoredExport | undefined;

  await updateWithRetry(
    claim,
    () => stores.exportStore.find({ tenant_id: tenant.tenant_id, job_id }),
    ({ document, revision }, isRetry) => {
      const job = requireVisible(caller, document);
      result = job;
      if (isRetry && job.status === 'cancelled') return null;
      if (job.status !== 'queued') {
        throw new ProblemError(
          'CONFLICT',
          `The export is ${job.status}. Only queued exports can be cancelled.`,
        );
      }
      result = markCancelled(job, receivedAt);
      return [
        ...stores.exportStore.change(result, revision, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: job_id })),
      ];
    },
  );
  return reply(200, result && toResponse(result, receivedAt));
});
