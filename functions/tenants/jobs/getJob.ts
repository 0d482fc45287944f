import { getJob } from '../../../schemas/routes/tenants/jobs.ts';
import { RESET_TYPE } from '../../../schemas/tenants/backgroundJob.ts';
import { exportWithFiles } from '../../chargeback/exports/job/exportWithFiles.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { idOf, ulidInId } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toSandbox } from '../sandbox/sandbox.ts';
import { toBackgroundJob, toResetJob } from './backgroundJob.ts';
import { requireReadableType } from './readableJobs.ts';

export default operation(getJob, async ({ parameters, caller, receivedAt: now, stores }) => {
  const { tenant, scopes } = caller;
  const { tenant_id } = tenant;
  const ulid = parameters['job_id'] ?? '';
  const job_id = idOf('job', tenant.tag, ulid);
  const [exported, job, sandbox] = await Promise.all([
    stores.exports.read(tenant_id, ulid),
    stores.jobs.read({ tenant_id, job_id }),
    tenant.sandbox === true ? stores.sandboxes.find(tenant_id) : null,
  ]);
  if (exported !== null) {
    requireReadableType(caller, 'focus_export');
    return reply(200, await exportWithFiles(caller, exported, stores.sign, now));
  }
  if (job !== null) {
    requireReadableType(caller, job.document.request.type);
    return reply(200, toBackgroundJob(job.document, scopes));
  }
  const reset = sandbox === null ? null : toSandbox(sandbox.document, now).reset;
  if (reset !== null && ulidInId(reset.job_id) === ulid) {
    requireReadableType(caller, RESET_TYPE);
    return reply(200, toResetJob(reset));
  }
  throw new ProblemError('NOT_FOUND', 'There is no job with this id.');
});
