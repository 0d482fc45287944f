import { StoredExport } from '../../../schemas/chargeback/exports.ts';
import { cancelJob } from '../../../schemas/routes/chargeback/exports.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { NO_REVISION } from '../../platform/shared/aws/document.store.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { markCancelled, toResponse } from './job/job.ts';
import { requireVisible } from './job/requireVisible.ts';

export default operation(cancelJob, async (call) => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const job_id = idOf('job', tenant.tag, parameters['job_id'] ?? '');
  const { result } = await changeOnce(call, StoredExport, async () => {
    const found = await stores.exportStore.find({ tenant_id: tenant.tenant_id, job_id });
    const job = requireVisible(caller, found?.document ?? null);
    if (job.status !== 'queued') {
      throw new ProblemError(
        'CONFLICT',
        `The export is ${job.status}. Only queued exports can be cancelled.`,
      );
    }
    const cancelled = markCancelled(job, receivedAt);
    return {
      writes: stores.exportStore.change(cancelled, found?.revision ?? NO_REVISION, claim),
      result: cancelled,
      resource: job_id,
      before: { status: job.status },
      after: { status: cancelled.status },
    };
  });
  return reply(200, toResponse(result, receivedAt));
});
