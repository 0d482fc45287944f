import { trainModel } from '../../schemas/routes/models.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { newJob } from '../jobs/job.ts';
import { commit } from '../shared/aws/document.store.ts';
import { claimedUlid } from '../shared/ids.ts';
import { orUnavailable } from '../shared/problem.ts';
import { jobStarted } from './jobStarted.ts';

export default operation(trainModel, async ({ caller: { tenant }, claim, receivedAt, occasion, stores }) => {
  const ulid = claimedUlid('training', claim.claim, receivedAt);
  const job = newJob(tenant, ulid, { type: 'training' }, receivedAt);
  await orUnavailable(async () => {
    // A retry finds the job of the first attempt, and only has it begun once more.
    await commit([
      stores.jobs.open(job, claim),
      stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: job.job_id })),
    ]);
    await stores.jobQueue.send(job);
  });
  return reply(202, jobStarted(job));
});
