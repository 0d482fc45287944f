import { trainModel } from '../../../../schemas/routes/attribution/models.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { deterministicUlid } from '../../../platform/shared/ids.ts';
import { toJobStarted } from './toJobStarted.ts';

export default operation(
  trainModel,
  async ({ caller: { tenant }, claim, receivedAt, auditContext, stores }) => {
    const ulid = deterministicUlid('training', claim.claim, receivedAt);
    const job = newJob(tenant, ulid, { type: 'training' }, receivedAt);
    // On a retry this commit changes nothing, because the job of the first attempt exists. The job is only sent again.
    await commit([
      stores.jobs.create(job, claim),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: job.job_id })),
    ]);
    await stores.jobQueue.send(job);
    return reply(202, toJobStarted(job));
  },
);
