import { Job } from '../../../../schemas/jobs.ts';
import { trainModel } from '../../../../schemas/routes/attribution/models.ts';
import { changeOnce } from '../../../identity/audit/changeOnce.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { toJobStarted } from '../../../platform/jobs/toJobStarted.ts';
import { deterministicUlid } from '../../../platform/shared/ids.ts';

export default operation(trainModel, async (call) => {
  const { caller, claim, receivedAt, stores } = call;
  const { result: job } = await changeOnce(call, Job, async () => {
    const ulid = deterministicUlid('training', claim.claim, receivedAt);
    const created = newJob(caller.tenant, ulid, { type: 'training' }, receivedAt);
    return {
      writes: [stores.jobs.create(created, claim)],
      result: created,
      resource: created.job_id,
      before: null,
      after: created.request,
    };
  });
  await stores.jobQueue.send(job);
  return reply(202, toJobStarted(job));
});
